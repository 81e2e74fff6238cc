import { expect, test } from 'vitest';
import { DELIVERED, type DeliveredPart, isDelivered } from './delivered';

const EVERYTHING = { batch: true, pluginKey: true, tools: true, video: true };

/** English words that promise a part. */
const PROMISES: Readonly<Record<DeliveredPart, RegExp>> = {
  batch: /(?<!as )many photos|photos at once|batch/i,
  pluginKey: /plug-?in/i,
  tools: /tools?\b|models?\b|blur\b|beautif|auto colou?r/i,
  video: /videos?\b/i,
};

/** Texts that name a part without promising it, or are shown only once it is delivered. */
const NO_OFFERS: Readonly<Record<DeliveredPart, RegExp>> = {
  batch:
    /^tiers:(features|offer)\.batch\b|^home:plans\.business\.points\.batch$|^home:drop\.many\.|^common:(errors|uploadError)\./,
  pluginKey: /^account:pluginKey\.|^tiers:features\.plugin$|^common:errors\.plugin_keys\./,
  // Results and preferences name the tools used, errors the tools requested.
  tools:
    /^tiers:features\.|^home:plans\.\w+\.points\.models$|^account:(tools|general\.tools)\.|^common:errors\.|^onboarding:policies\.|^result:\w+Left$|blur and noise|noise and blur/,
  video:
    /^tiers:(features\.\w+Video|offer\.video\w*\.\w+)$|^home:plans\.personal\.points\.video$|^account:limits\.|^account:history\.|^(result|processing):video\.|^home:(drop\.(video|media)|upload\.checkingVideo)|^common:(errors|uploadError)\.|^onboarding:policies\.(privacy|terms\.service)/,
};

const files = import.meta.glob<Record<string, unknown>>('../../../../locales/en/*.json', {
  eager: true,
  import: 'default',
});

function textsIn(messages: unknown, path: string): [string, string][] {
  if (typeof messages === 'string') return [[path, messages]];
  return Object.entries(messages ?? {}).flatMap(([key, value]) => textsIn(value, path ? `${path}.${key}` : key));
}

const TEXTS = Object.entries(files).flatMap(([file, messages]) => {
  const section = file.slice(file.lastIndexOf('/') + 1, -'.json'.length);
  return textsIn(messages, '').map(([key, text]) => [`${section}:${key}`, text] as const);
});

const MISSING = (Object.keys(DELIVERED) as DeliveredPart[]).filter((part) => !DELIVERED[part]);

test.each(MISSING)('no text promises an undelivered part: %s', (part) => {
  const offers = TEXTS.filter(
    ([key, text]) => PROMISES[part].test(text) && !NO_OFFERS[part].test(key) && !NO_OFFERS[part].test(text),
  );
  expect(offers).toEqual([]);
});

test('plans list only features that are delivered', () => {
  const keys = [
    'features.noWatermark',
    'features.bokeh',
    'features.personalVideo',
    'features.batch',
    'features.plugin',
  ];
  expect(keys.filter((key) => isDelivered(key, { ...EVERYTHING, video: false, batch: false }))).toEqual([
    'features.noWatermark',
    'features.bokeh',
    'features.plugin',
  ]);
  expect(keys.filter((key) => isDelivered(key))).toEqual([
    'features.noWatermark',
    'features.bokeh',
    'features.personalVideo',
    'features.batch',
    'features.plugin',
  ]);
});
