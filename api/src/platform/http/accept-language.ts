import { LOCALES, type Locale, languageTagOf } from '@clearframe/contract';
import { match } from '@formatjs/intl-localematcher';
import Negotiator from 'negotiator';

/**
 * The language tags of an `Accept-Language` header (RFC 9110, section 12.5.4) in canonical form, preferred first.
 * Without refused languages and invalid tags.
 */
export function languagesIn(header: string | undefined): string[] {
  const tags = new Negotiator({ headers: { 'accept-language': header ?? '' } }).languages();
  return tags.flatMap((tag) => {
    try {
      return Intl.getCanonicalLocales(tag);
    } catch {
      return [];
    }
  });
}

/** Locales by tag and by language. */
const LOCALES_BY_TAG = new Map<string, Locale>(
  LOCALES.flatMap((locale) => {
    const tag = languageTagOf(locale);
    return [[new Intl.Locale(tag).language, locale] as const, [tag, locale] as const];
  }),
);

/** The interface language that an `Accept-Language` header prefers, or null when it names none of them. */
export function preferredLocale(header: string | undefined): Locale | null {
  // 'best fit' has an unbounded cache of tags.
  const tag = match(languagesIn(header), [...LOCALES_BY_TAG.keys()], 'und', { algorithm: 'lookup' });
  return LOCALES_BY_TAG.get(tag) ?? null;
}
