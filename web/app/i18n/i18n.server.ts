import { directionOf, FALLBACK_LOCALE, LOCALES, type Locale, languageTagOf } from '@clearframe/contract';
import { createLanguageMatcher } from '@clearframe/contract/accept-language';
import type { EntryContext, LoaderFunctionArgs } from '@remix-run/node';
import { createInstance, type i18n } from 'i18next';
import ICU from 'i18next-icu';
import { initReactI18next } from 'react-i18next';
import { RemixI18Next } from 'remix-i18next/server';
import { compileMessages } from './compile.server';
import { chosenLanguage } from './language-cookie.server';
import type { Bundle, Namespace } from './messages';
import { I18N_OPTIONS } from './options';

const files = import.meta.glob<Record<string, unknown>>('../../../locales/*/*.json', {
  eager: true,
  import: 'default',
});

/** Messages by language tag; languages without files are not offered. */
const MESSAGES: Readonly<Record<string, Bundle>> = Object.fromEntries(
  LOCALES.map((locale) => [languageTagOf(locale), bundleOf(locale)] as const).filter(
    ([, bundle]) => Object.keys(bundle).length > 0,
  ),
);

function bundleOf(locale: Locale): Bundle {
  const folder = `/locales/${locale}/`;
  return Object.fromEntries(
    Object.entries(files)
      .filter(([path]) => path.includes(folder))
      .map(([path, messages]) => [path.slice(path.lastIndexOf('/') + 1, -'.json'.length), messages]),
  );
}

const FALLBACK = languageTagOf(FALLBACK_LOCALE);

/** BCP 47 tags in the order of the language switch. */
export const offeredLanguages: readonly string[] = Object.keys(MESSAGES);

const preferredLanguage = createLanguageMatcher(offeredLanguages);

/** The chosen language, else the best match of `Accept-Language`. */
async function findLanguage(request: Request): Promise<string> {
  const chosen = await chosenLanguage(request);
  if (chosen !== null && offeredLanguages.includes(chosen)) return chosen;
  return preferredLanguage(request.headers.get('accept-language')) ?? FALLBACK;
}

const remixI18n = new RemixI18Next({
  detection: {
    supportedLanguages: [...offeredLanguages],
    fallbackLanguage: FALLBACK,
    order: ['custom'],
    findLocale: findLanguage,
  },
  i18next: { ...I18N_OPTIONS, resources: MESSAGES as Record<string, Record<string, Record<string, unknown>>> },
  plugins: [new ICU()],
});

export const languageOf = (request: Request): Promise<string> => remixI18n.getLocale(request);

export const translatorFor = <const Ns extends Namespace>(request: Request, namespace: Ns) =>
  remixI18n.getFixedT(request, namespace);

/** The loader of a page with a title and no other data. */
export const titleLoader =
  <const Ns extends Namespace>(namespace: Ns, titleOf: (t: Awaited<ReturnType<typeof translatorFor<Ns>>>) => string) =>
  async ({ request }: LoaderFunctionArgs) => ({ title: titleOf(await translatorFor(request, namespace)) });

export function directionOfTag(tag: string): 'ltr' | 'rtl' {
  return directionOf(LOCALES.find((locale) => languageTagOf(locale) === tag) ?? FALLBACK_LOCALE);
}

/** A namespace in a language, else in the fallback language; null when it does not exist. */
function messagesOf(tag: string, namespace: string): Record<string, unknown> | null {
  const bundle: Readonly<Record<string, Record<string, unknown>>> = { ...MESSAGES[FALLBACK], ...MESSAGES[tag] };
  return Object.hasOwn(bundle, namespace) ? (bundle[namespace] ?? null) : null;
}

/** Messages by language and namespace. Compiling takes a tenth of the time of rendering a page. */
const compiled = new Map<string, Record<string, unknown>>();

/** Null for an unknown language or namespace: both may come from an address. */
export function compiledMessagesOf(tag: string, namespace: string): Record<string, unknown> | null {
  if (!Object.hasOwn(MESSAGES, tag)) return null;
  const key = `${tag} ${namespace}`;
  const known = compiled.get(key);
  if (known) return known;
  const messages = messagesOf(tag, namespace);
  if (!messages) return null;
  const result = compileMessages(messages, tag);
  compiled.set(key, result);
  return result;
}

export function messagesForPage(tag: string, { staticHandlerContext, routeModules }: EntryContext): Bundle {
  const namespaces = staticHandlerContext.matches.flatMap(({ route }) => namespacesOf(routeModules[route.id]?.handle));
  const unique = new Set([...SHELL_NAMESPACES, ...namespaces]);
  return Object.fromEntries([...unique].map((namespace) => [namespace, messagesOf(tag, namespace) ?? {}]));
}

const SHELL_NAMESPACES: readonly Namespace[] = ['common', 'header', 'footer'];

function namespacesOf(handle: unknown): readonly string[] {
  const named = typeof handle === 'object' && handle !== null && 'i18n' in handle ? handle.i18n : [];
  return Array.isArray(named) ? named.filter((name) => typeof name === 'string') : [];
}

export const compileBundle = (tag: string, namespaces: readonly string[]): Bundle =>
  Object.fromEntries(namespaces.map((namespace) => [namespace, compiledMessagesOf(tag, namespace) ?? {}]));

export async function i18nForPage(tag: string, messages: Bundle): Promise<i18n> {
  const instance = createInstance().use(initReactI18next).use(new ICU());
  await instance.init({
    ...I18N_OPTIONS,
    lng: tag,
    ns: Object.keys(messages),
    resources: { [tag]: messages as Record<string, Record<string, unknown>> },
  });
  return instance;
}
