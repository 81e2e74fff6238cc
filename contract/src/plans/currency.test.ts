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
    expect(currencyForVisitor({ country, acceptLanguage: null })).toBe(currency);
  });

  it('puts the country before the region of the language', () => {
    expect(currencyForVisitor({ country: 'US', acceptLanguage: 'de-DE' })).toBe('usd');
    expect(currencyForVisitor({ country: 'FR', acceptLanguage: 'en-US' })).toBe('eur');
  });

  it.each([
    ['de-AT,de;q=0.8,en;q=0.5', 'eur'],
    ['de-CH,de;q=0.8', 'usd'],
    ['en;q=0.4,es-ES;q=0.9', 'eur'],
    ['en,de-DE;q=0.8', 'eur'],
    ['pt-BR,pt-PT;q=0.5', 'usd'],
    ['zh-Hans-CN', 'usd'],
    // A language alone names no region.
    ['de', 'usd'],
    ['fr;q=0.9,it', 'usd'],
    ['*', 'usd'],
    ['not a tag!, de-DE', 'eur'],
    ['', 'usd'],
    [null, 'usd'],
    [undefined, 'usd'],
  ])('without a country reads the region in "%s"', (acceptLanguage, currency) => {
    expect(currencyForVisitor({ country: null, acceptLanguage })).toBe(currency);
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
