import { match } from '@formatjs/intl-localematcher';
import Negotiator from 'negotiator';
import { LOCALES, type Locale, languageTagOf } from '../locales/locales.js';

/** No language: BCP 47's tag for 'undetermined'. */
const NONE = 'und';

/**
 * The language tags of an `Accept-Language` header (RFC 9110, section 12.5.4) in canonical form, preferred first.
 * Without refused languages and invalid tags.
 */
export function languagesIn(header: string | null | undefined): string[] {
  const tags = new Negotiator({ headers: { 'accept-language': header ?? '' } }).languages();
  return tags.flatMap((tag) => {
    try {
      return Intl.getCanonicalLocales(tag);
    } catch {
      return [];
    }
  });
}

/**
 * The first preferred language that is available, exactly or by its language alone; null when none is.
 * @param header `Accept-Language`, such as `de-AT,de;q=0.8,en;q=0.5`
 * @param available BCP 47 tags
 */
export function preferredLanguage(header: string | null | undefined, available: readonly string[]): string | null {
  const byLanguage = new Map(available.map((tag) => [new Intl.Locale(tag).language, tag]));
  // 'best fit' has an unbounded cache of tags.
  const tag = match(languagesIn(header), [...available, ...byLanguage.keys()], NONE, { algorithm: 'lookup' });
  return available.includes(tag) ? tag : (byLanguage.get(tag) ?? null);
}

/** The interface language that an `Accept-Language` header prefers, or null when it names none of them. */
export function preferredLocale(header: string | null | undefined): Locale | null {
  const tag = preferredLanguage(header, LOCALES.map(languageTagOf));
  return LOCALES.find((locale) => languageTagOf(locale) === tag) ?? null;
}
