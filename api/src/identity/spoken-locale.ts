import { LOCALES, type Locale, languageTagOf } from '@clearframe/contract';

const languageIn = (tag: string): string => tag.split('-')[0] ?? tag;

function localeOf(tag: string): Locale | undefined {
  const isSame = (locale: Locale): boolean => languageTagOf(locale).toLowerCase() === tag;
  return LOCALES.find(isSame) ?? LOCALES.find((locale) => languageIn(languageTagOf(locale)) === languageIn(tag));
}

/** The language of the product that an `Accept-Language` header asks for first, or null when it asks for none of them. */
export function spokenLocale(header: string | undefined): Locale | null {
  const wishes = (header ?? '').toLowerCase().split(',').slice(0, LOCALES.length);
  const ranked = wishes.map((wish) => {
    const [tag = '', quality] = wish.split(';q=');
    return { locale: localeOf(tag.trim()), quality: quality === undefined ? 1 : Number(quality) };
  });
  const known = ranked.filter(({ locale, quality }) => locale !== undefined && quality > 0);
  return known.sort((a, b) => b.quality - a.quality)[0]?.locale ?? null;
}
