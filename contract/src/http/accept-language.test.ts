import { expect, test } from 'vitest';
import { createLanguageMatcher, languagesIn, preferredLocale } from './accept-language.js';

test.each([
  ['de-AT,de;q=0.8,en;q=0.5', ['de-AT', 'de', 'en']],
  ['en;q=0.4,es-ES;q=0.9', ['es-ES', 'en']],
  ['fr;q=0, it', ['it']],
  ['*', []],
  ['not a tag!, en_US, DE-de', ['de-DE']],
  ['', []],
  [undefined, []],
  [null, []],
])('the languages of %j', (header, languages) => expect(languagesIn(header)).toEqual(languages));

test.each([
  ['de-AT,de;q=0.8,en;q=0.5', 'de'],
  ['pt-BR', 'pt-BR'],
  ['pt', 'pt-BR'],
  ['pt-PT,en;q=0.5', 'pt-BR'],
  ['es-MX', 'es-419'],
  ['nl, fr;q=0.4', 'fr'],
  ['nl, hi-Latn;q=0.4', 'hi'],
  ['fr;q=0, de;q=0.1', 'de'],
  ['fr;q=0, de-CH;q=0.1', 'de'],
  ['*, en_US, x', null],
  ['en_US, DE-at', 'de'],
  ['nl', null],
  ['', null],
  [undefined, null],
])('the preferred language of %j', (header, expected) => {
  expect(createLanguageMatcher(['en', 'pt-BR', 'es-419', 'de', 'fr', 'hi'])(header)).toBe(expected);
});

test.each([
  ['pt-PT,en;q=0.5', 'pt_BR'],
  ['es-MX', 'es_419'],
  ['nl', null],
])('the interface language for %j', (header, locale) => expect(preferredLocale(header)).toBe(locale));
