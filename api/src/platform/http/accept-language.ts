import { acceptedLanguages, LOCALES, type Locale, languageTagOf } from '@clearframe/contract';

const languageIn = (tag: string): string => tag.split('-')[0] ?? tag;

function localeOf(tag: string): Locale | undefined {
  const isSame = (locale: Locale): boolean => languageTagOf(locale).toLowerCase() === tag;
  return LOCALES.find(isSame) ?? LOCALES.find((locale) => languageIn(languageTagOf(locale)) === languageIn(tag));
}

/** The interface language that an `Accept-Language` header asks for first, or null when it asks for none of them. */
export const preferredLocale = (header: string | undefined): Locale | null =>
  acceptedLanguages(header?.toLowerCase())
    .map(localeOf)
    .find((locale) => locale !== undefined) ?? null;
