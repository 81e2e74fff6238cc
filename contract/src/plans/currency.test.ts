import { describe, expect, it } from 'vitest';
import { countryFrom, currencyForVisitor } from './currency.js';

describe('currencyForVisitor', () => {
  it.each([
    ['DE', 'eur'],
    ['BG', 'eur'],
    ['RE', 'eur'],
    ['XK', 'eur'],
    ['US', 'usd'],
    ['CH', 'usd'],
    ['PL', 'usd'],
    ['BR', 'usd'],
  ])('follows the country %s', (country, currency) => {
    expect(currencyForVisitor({ country, languages: [] })).toBe(currency);
  });

  it('prefers the country to the region of the language', () => {
    expect(currencyForVisitor({ country: 'US', languages: ['de-DE'] })).toBe('usd');
    expect(currencyForVisitor({ country: 'FR', languages: ['en-US'] })).toBe('eur');
  });

  it.each([
    [['de-AT', 'de', 'en'], 'eur'],
    [['de-CH', 'de'], 'usd'],
    [['es-ES', 'en'], 'eur'],
    [['en', 'de-DE'], 'eur'],
    [['pt-BR', 'pt-PT'], 'usd'],
    [['zh-Hans-CN'], 'usd'],
    // A language alone has no region.
    [['de'], 'usd'],
    [['fr', 'it'], 'usd'],
    [[], 'usd'],
  ])('without a country uses the first region of %j', (languages, currency) => {
    expect(currencyForVisitor({ country: null, languages })).toBe(currency);
  });
});

describe('countryFrom', () => {
  it.each([
    ['DE', 'DE'],
    [' fr ', 'FR'],
    ['XX', null],
    ['T1', null],
    ['Germany', null],
    ['', null],
    [undefined, null],
    [['DE', 'FR'], null],
  ])('reads %j', (value, country) => expect(countryFrom(value)).toBe(country));
});
