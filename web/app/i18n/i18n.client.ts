import i18next, { type BackendModule, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { compiledFormat } from './compiled-format.client';
import type { Bundle } from './messages';
import { I18N_OPTIONS } from './options';

/** i18next doesn't repeat a failed request later. */
const untilOnline = (): Promise<unknown> =>
  navigator.onLine
    ? Promise.resolve()
    : new Promise((resolve) => window.addEventListener('online', resolve, { once: true }));

/** Fetches the messages of pages opened by client navigation; the version parameter makes them cacheable. */
const backend: BackendModule = {
  type: 'backend',
  init() {},
  read(language, namespace, done) {
    const version = window.__remixManifest?.version ?? '';
    untilOnline()
      .then(() => fetch(`/locales/${language}/${namespace}?v=${version}`))
      .then((response) => (response.ok ? response.json() : Promise.reject(new Error(`${response.status}`))))
      .then(
        (messages) => done(null, messages),
        // `true`: i18next tries again, up to five times.
        (error) => done(error, true),
      );
  },
};

/** @param messages those embedded in the page */
export async function startI18n(language: string, messages: Bundle): Promise<i18n> {
  await i18next
    .use(initReactI18next)
    .use(compiledFormat)
    .use(backend)
    .init({
      ...I18N_OPTIONS,
      fallbackLng: false,
      lng: language,
      ns: Object.keys(messages),
      resources: { [language]: messages as Record<string, Record<string, unknown>> },
      partialBundledLanguages: true,
    });
  return i18next;
}
