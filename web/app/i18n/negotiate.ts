import { match } from '@formatjs/intl-localematcher';
import Negotiator from 'negotiator';

/**
 * The language tags of an `Accept-Language` header (RFC 9110, section 12.5.4) in canonical form, preferred first.
 * Refused languages and what is not a BCP 47 tag are left out.
 */
export function languagesIn(header: string | null): string[] {
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
 * The language to answer in: the first one wanted that is available, exactly or by its language alone, else the
 * fallback. Tags are BCP 47.
 * @param header `Accept-Language`, such as `de-AT,de;q=0.8,en;q=0.5`
 */
export function negotiateLanguage(header: string | null, available: readonly string[], fallback: string): string {
  const byLanguage = new Map(available.map((tag) => [new Intl.Locale(tag).language, tag]));
  // 'best fit' caches every tag it has seen, without bound.
  const tag = match(languagesIn(header), [...available, ...byLanguage.keys()], fallback, { algorithm: 'lookup' });
  return available.includes(tag) ? tag : (byLanguage.get(tag) ?? fallback);
}
