import type { InitOptions } from 'i18next';

/** Options shared by server and browser. Languages are BCP 47 tags (`pt-BR`), unlike the names of the files. */
export const I18N_OPTIONS = {
  fallbackLng: 'en',
  defaultNS: 'common',
  // React escapes what it renders.
  interpolation: { escapeValue: false },
} satisfies InitOptions;
