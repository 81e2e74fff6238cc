import { readFile, stat } from 'node:fs/promises';
import { RECIPE_VERSION } from '@clearframe/contract';
import { expect, it } from 'vitest';
import result from '../../locales/en/result.json' with { type: 'json' };
import tiers from '../../locales/en/tiers.json' with { type: 'json' };
import { digestOf, readRecords } from './records.ts';
import { FOLDER, SAMPLES } from './sample-pictures.ts';

const MANIFEST = new URL('../../models/manifest.json', import.meta.url);

it('every sample has a record of its file, its recipe and the networks that made it', async () => {
  const { models }: { models: { id: string }[] } = JSON.parse(await readFile(MANIFEST, 'utf8'));
  const known = models.map(({ id }) => id);
  const records = await readRecords();
  expect(records.map(({ sample }) => sample)).toEqual(SAMPLES.map(({ name }) => name));
  for (const { sample, recipe, models: used, sha256 } of records) {
    expect(sha256, `${sample} was changed without pnpm samples`).toBe(await digestOf(sample));
    expect(recipe).toBeLessThanOrEqual(RECIPE_VERSION);
    expect(used.length).toBeGreaterThan(0);
    expect(known).toEqual(expect.arrayContaining(used.map(({ id }) => id)));
  }
});

/** Loaded when a call to action or a tooltip opens, also by phones. */
const MAX_BYTES = 30_000;

const calls = Object.entries(tiers.offer).flatMap(([topic, words]) => (typeof words === 'string' ? [] : [topic]));

it.each([
  ...[...calls, 'plugin'].flatMap((call) => [`offer-${call}.webp`, `offer-${call}-back.webp`]),
  ...Object.keys(result.panel.tips).map((tip) => `tool-${tip}.mp4`),
])('%s is there for its call to action or tooltip, and small', async (name) => {
  const { size } = await stat(`${FOLDER}${name}`);
  expect(size).toBeGreaterThan(0);
  expect(size).toBeLessThan(MAX_BYTES);
});
