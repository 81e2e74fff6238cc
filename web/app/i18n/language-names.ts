/** Native names of the languages, by BCP 47 tag. */
export const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  en: 'English',
  'pt-BR': 'Português (Brasil)',
  'es-419': 'Español',
  tr: 'Türkçe',
  id: 'Bahasa Indonesia',
  it: 'Italiano',
  de: 'Deutsch',
  fr: 'Français',
  ar: 'العربية',
  hi: 'हिन्दी',
  ja: '日本語',
  ru: 'Русский',
  th: 'ไทย',
  vi: 'Tiếng Việt',
};
