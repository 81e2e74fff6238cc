import { describe, expect, it } from 'vitest';
import { directionOf, FALLBACK_LOCALE, LOCALE_SECTIONS, LOCALES, languageTagOf } from './locales.js';

describe('the languages', () => {
  it('are fourteen, in fourteen sections, with a fallback', () => {
    expect(new Set(LOCALES).size).toBe(14);
    expect(new Set(LOCALE_SECTIONS).size).toBe(14);
    expect(LOCALES).toContain(FALLBACK_LOCALE);
  });

  it('have tags that Intl supports, and a direction', () => {
    for (const locale of LOCALES) {
      expect(Intl.DateTimeFormat.supportedLocalesOf(languageTagOf(locale))).toHaveLength(1);
    }
    expect(languageTagOf('pt_BR')).toBe('pt-BR');
    expect(LOCALES.filter((locale) => directionOf(locale) === 'rtl')).toEqual(['ar']);
  });
});
