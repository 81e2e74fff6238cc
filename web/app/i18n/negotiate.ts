import { match } from '@formatjs/intl-localematcher';
import Negotiator from 'negotiator';

/**
 * The language tags of an `Accept-Language` header (RFC 9110, section 12.5.4) in canonical form, preferred first,
 * without refused languages (`q=0`) and invalid BCP 47 tags.
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
 * The first preferred language that is available, exactly or by its primary subtag, else the fallback (BCP 47).
 * @param header `Accept-Language`, such as `de-AT,de;q=0.8,en;q=0.5`
 */
export function negotiateLanguage(header: string | null, available: readonly string[], fallback: string): string {
  const byLanguage = new Map(available.map((tag) => [new Intl.Locale(tag).language, tag]));
  // 'best fit' caches every tag without bound.
  const tag = match(languagesIn(header), [...available, ...byLanguage.keys()], fallback, { algorithm: 'lookup' });
  return available.includes(tag) ? tag : (byLanguage.get(tag) ?? fallback);
}
