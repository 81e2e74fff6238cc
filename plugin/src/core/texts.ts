/** Messages by language, section and key: `en` → `plugin` → `connect.title`. Made at build from `locales`. */
export type Catalogue = Readonly<Record<string, Readonly<Record<string, string>>>>;

const FALLBACK = 'en';

/** Photoshop's languages by ours: `host.uiLocale` is `de_DE`, `pt_BR`, `es_MX`. */
export function languageOf(uiLocale: string, known: readonly string[]): string {
  const exact = uiLocale.replace('-', '_');
  const [language = FALLBACK] = exact.split('_');
  return known.find((name) => name === exact) ?? known.find((name) => name.split('_')[0] === language) ?? FALLBACK;
}

export const directionOf = (language: string): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');

export type Values = Readonly<Record<string, string | number>>;
export type Translate = (key: string, values?: Values) => string;

/** Replaces `{name}` and `{name, number}`, in the language or else in English. An unknown key is shown as it is, so that nothing is left empty. */
export function translator(catalogue: Catalogue, language: string): Translate {
  return (key, values = {}) => {
    const message = catalogue[language]?.[key] ?? catalogue[FALLBACK]?.[key] ?? key;
    return message.replaceAll(/\{(\w+)(?:, number)?\}/g, (whole, name: string) => String(values[name] ?? whole));
  };
}
