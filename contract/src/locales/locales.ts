/** The fourteen interface languages, by the codes of the spec, in the order of the language switch. */
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

/** For visitors whose languages are not offered (spec 2, section 2). */
export const FALLBACK_LOCALE: Locale = 'en';

/** Files of a language: `locales/{lng}/{section}.json`. */
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
  'webhooks',
  'usage',
  'plugin',
] as const;

/** Writing direction, for the `dir` attribute. */
export const directionOf = (locale: Locale): 'ltr' | 'rtl' => (locale === 'ar' ? 'rtl' : 'ltr');

/** BCP 47 tag (`pt_BR` is `pt-BR`), for the `lang` attribute and `Intl`. */
export const languageTagOf = (locale: Locale): string => locale.replace('_', '-');
