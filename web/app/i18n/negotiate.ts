import { acceptedLanguages } from '@clearframe/contract';

/**
 * The language to answer in: the first one wanted that there is, else the first that shares its two-letter prefix,
 * else the fallback. Tags are BCP 47.
 * @param acceptLanguage the header, such as `de-AT,de;q=0.8,en;q=0.5`
 */
export function negotiateLanguage(
  acceptLanguage: string | null,
  available: readonly string[],
  fallback: string,
): string {
  const prefixOf = (tag: string): string => tag.toLowerCase().split('-', 1)[0] ?? '';
  for (const wanted of acceptedLanguages(acceptLanguage)) {
    const exact = available.find((tag) => tag.toLowerCase() === wanted.toLowerCase());
    const close = exact ?? available.find((tag) => prefixOf(tag) === prefixOf(wanted));
    if (close) return close;
  }
  return fallback;
}
