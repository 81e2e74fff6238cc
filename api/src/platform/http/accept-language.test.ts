import { expect, test } from 'vitest';
import { languagesIn, preferredLocale } from './accept-language.js';

test.each([
  ['de-AT,de;q=0.8,en;q=0.5', ['de-AT', 'de', 'en']],
  ['en;q=0.4,es-ES;q=0.9', ['es-ES', 'en']],
  ['fr;q=0, it', ['it']],
  ['*', []],
  ['not a tag!, en_US, DE-de', ['de-DE']],
  ['', []],
  [undefined, []],
])('the languages of %j', (header, languages) => expect(languagesIn(header)).toEqual(languages));

test.each([
  ['pt-PT,en;q=0.5', 'pt_BR'],
  ['es-MX', 'es_419'],
  ['nl, hi-Latn;q=0.4', 'hi'],
  ['fr;q=0, de-CH;q=0.1', 'de'],
  ['nl', null],
  [undefined, null],
])('the locale for %j', (header, locale) => expect(preferredLocale(header)).toBe(locale));
