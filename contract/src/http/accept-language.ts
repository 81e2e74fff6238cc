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
 * Finds the first preferred language of an `Accept-Language` header, such as `de-AT,de;q=0.8,en;q=0.5`, that is
 * available, exactly or by its language alone; null when none is.
 * @param available BCP 47 tags
 */
export function createLanguageMatcher(
  available: readonly string[],
): (header: string | null | undefined) => string | null {
  // Made once: the constructor takes longer than the match.
  const byLanguage = new Map(available.map((tag) => [new Intl.Locale(tag).language, tag]));
  const offered = [...available, ...byLanguage.keys()];
  return (header) => {
    // 'best fit' has an unbounded cache of tags.
    const tag = match(languagesIn(header), offered, NONE, { algorithm: 'lookup' });
    return available.includes(tag) ? tag : (byLanguage.get(tag) ?? null);
  };
}

const LOCALES_BY_TAG = new Map(LOCALES.map((locale) => [languageTagOf(locale), locale]));
const preferredTag = createLanguageMatcher([...LOCALES_BY_TAG.keys()]);

/** The interface language that an `Accept-Language` header prefers, or null when it names none of them. */
export const preferredLocale = (header: string | null | undefined): Locale | null =>
  LOCALES_BY_TAG.get(preferredTag(header) ?? NONE) ?? null;
