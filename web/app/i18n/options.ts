import type { InitOptions } from 'i18next';

/** Options shared by server and browser. Languages are BCP 47 tags (`pt-BR`), unlike the names of the files. */
export const I18N_OPTIONS = {
  fallbackLng: 'en',
  // Otherwise the browser waits for messages of `pt` before it starts a page in `pt-BR`.
  load: 'currentOnly',
  defaultNS: 'common',
  // React escapes what it renders.
  interpolation: { escapeValue: false },
} satisfies InitOptions;
