import type { InitOptions } from 'i18next';

/** What server and browser agree on. Languages are BCP 47 tags here (`pt-BR`); the files have the product's codes. */
export const I18N_OPTIONS = {
  fallbackLng: 'en',
  defaultNS: 'common',
  // React escapes what it renders.
  interpolation: { escapeValue: false },
} satisfies InitOptions;
