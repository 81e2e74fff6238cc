import { ERRORS, type ErrorCode, messageKeyOf } from '@clearframe/contract';
import { createInstance } from 'i18next';
import ICU from 'i18next-icu';
import { expect, test } from 'vitest';
import { compileMessages } from './compile.server';
import { compiledFormat } from './compiled-format.client';
import { formatMessage, unpackMessage } from './compiled-message';
import { compiledMessagesOf } from './i18n.server';

const files = import.meta.glob<Record<string, unknown>>('../../../locales/*/*.json', {
  eager: true,
  import: 'default',
});

/** Accepts keys that are not known at compile time. */
type Translate = (key: string, values: Record<string, unknown>) => string;

const textsOf = (messages: Record<string, unknown>, prefix = ''): [string, string][] =>
  Object.entries(messages).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[prefix + key, value] as [string, string]]
      : textsOf(value as Record<string, unknown>, `${prefix}${key}.`),
  );

test('every error code has a message', async () => {
  const i18n = createInstance();
  await i18n.init({ lng: 'en', resources: { en: { common: files['../../../locales/en/common.json'] ?? {} } } });
  const missing = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => !i18n.exists(`common:${messageKeyOf(code)}`));
  expect(missing).toEqual([]);
});

test.each(['__proto__', '../x', 'xx', ''])('an address names no messages by the language %j', (language) => {
  expect(compiledMessagesOf(language, 'common')).toBeNull();
});

const languages = [...new Set(Object.keys(files).map((file) => file.split('/').at(-2) ?? ''))];

test.each(languages)('every message of %s reads the same on the server and in the browser', async (folder) => {
  const language = folder.replace('_', '-');
  const options = { lng: language, interpolation: { escapeValue: false } };
  for (const [file, messages] of Object.entries(files).filter(([name]) => name.includes(`/${folder}/`))) {
    const inServer = createInstance().use(new ICU());
    const inBrowser = createInstance().use(compiledFormat);
    await inServer.init({ ...options, defaultNS: 'common', resources: { [language]: { common: messages } } });
    const compiled = compileMessages(messages, language);
    await inBrowser.init({ ...options, defaultNS: 'common', resources: { [language]: { common: compiled } } });
    const read = (translate: Translate) =>
      textsOf(messages).flatMap(([key, text]) => {
        const names = [...text.matchAll(/\{(\w+)/g)].map((match) => match[1] ?? '');
        const values = names.length === 0 ? [0] : [0, 0.42, 1, 2, 5, 1234];
        return values.map((value) => [key, translate(key, Object.fromEntries(names.map((name) => [name, value])))]);
      });
    const [onServer, inPage] = [inServer.t, inBrowser.t] as unknown as [Translate, Translate];
    expect(read(inPage), file).toEqual(read(onServer));
  }
});

test.each([
  ['{n, plural, offset:1 =0 {none} =1 {you} one {you and # more} other {you and # more}}', { n: 3 }, 'you and 2 more'],
  ['{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}', { n: 22 }, '22nd'],
  ['{who, select, her {her} other {their}} {what}', { who: 'x', what: 'photo' }, 'their photo'],
  ['{n, plural, other {# {who, select, other {by {who}}}}}', { n: 4, who: 'me' }, '4 by me'],
  ['{n, number, ::.00}', { n: 1.5 }, '1.50'],
  ["it''s '{'plain'}'", {}, "it's {plain}"],
])('compiles %s', (text, values, expected) => {
  const compiled = String(compileMessages({ text }, 'en').text);
  const message = unpackMessage(compiled);
  expect(message ? formatMessage(message, values, 'en') : compiled).toBe(expected);
});

test('the compiler rejects invalid ICU', () => {
  expect(() => compileMessages({ text: '{n, plural, one {x}' }, 'en')).toThrow();
});
