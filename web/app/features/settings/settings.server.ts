import { type Currency, type Settings, settingsRoutes } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { callApi } from '../../http/api.server';
import { languageOf } from '../../i18n/i18n.server';
import { currencyOf } from './currency.server';

/** Delay until an operator's change is visible. */
const CACHE_MS = 3_000;

interface CachedSettings {
  readonly settings: Promise<Settings>;
  readonly at: number;
}
const cache = new Map<string, CachedSettings>();

/**
 * Flags and offers for a visitor; the `version` query parameter may force an offer.
 * @param fixedCurrency that of a subscription or a chosen price; {@link currencyOf} by default
 * @throws ApiError
 */
export async function settingsOf(
  request: Request,
  context: AppLoadContext,
  fixedCurrency?: Currency,
): Promise<Settings> {
  const language = await languageOf(request);
  const currency = fixedCurrency ?? (await currencyOf(request, context));
  const parameter = new URL(request.url).searchParams.get('version');
  const version = parameter === 'ip' || parameter === 'ft' ? parameter : null;
  const { apiUrl, countryHeader } = context.settings;
  const country = countryHeader && request.headers.get(countryHeader);
  const key = `${apiUrl} ${language} ${version} ${currency} ${country}`;
  const cached = cache.get(key);
  if (cached && Date.now() - cached.at < CACHE_MS) return cached.settings;
  const body = { localStorageId: 'server', deviceType: 'web', language, version, currency };
  const settings = callApi(settingsRoutes.readSettings, { body }, { context, request, isDetached: true });
  cache.set(key, { settings, at: Date.now() });
  settings.catch(() => cache.delete(key));
  return settings;
}
