/** The fourteen interface languages, in the order of the language switch. The spec's codes. */
export const LOCALES = [
  'en',
  'pt_BR',
  'es_419',
  'tr',
  'id',
  'it',
  'de',
  'fr',
  'ar',
  'hi',
  'ja',
  'ru',
  'th',
  'vi',
] as const;
export type Locale = (typeof LOCALES)[number];

/** Used when a visitor's language is not among {@link LOCALES}. */
export const FALLBACK_LOCALE: Locale = 'en';

/** The eleven sections a language is split into: `locales/{lng}/{section}.json`. */
export const LOCALE_SECTIONS = [
  'common',
  'header',
  'footer',
  'home',
  'result',
  'account',
  'onboarding',
  'surveys',
  'processing',
  'support',
  'tiers',
] as const;
export type LocaleSection = (typeof LOCALE_SECTIONS)[number];

/** Writing direction, for the `dir` attribute. */
export const directionOf = (locale: Locale): 'ltr' | 'rtl' => (locale === 'ar' ? 'rtl' : 'ltr');

/** The BCP 47 tag of a locale (`pt_BR` is `pt-BR`), for the `lang` attribute and `Intl`. */
export const languageTagOf = (locale: Locale): string => locale.replace('_', '-');
