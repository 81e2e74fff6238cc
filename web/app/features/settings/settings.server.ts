import { type Currency, type Settings, settingsRoutes } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { callApi } from '../../http/api.server';
import { languageOf } from '../../i18n/i18n.server';
import { currencyOf } from './currency.server';

/** Pages ask for the same few settings over and over; an operator's change may take this long to be seen. */
const FRESH_MS = 3_000;

interface Remembered {
  readonly settings: Promise<Settings>;
  readonly at: number;
}
const remembered = new Map<string, Remembered>();

/**
 * Flags and offers for a visitor. `version` in the page's address may force an offer.
 * @param fixedCurrency of a running subscription or a chosen price; otherwise {@link currencyOf} decides
 * @throws ApiError
 */
export async function settingsOf(
  request: Request,
  context: AppLoadContext,
  fixedCurrency?: Currency,
): Promise<Settings> {
  const language = await languageOf(request);
  const currency = fixedCurrency ?? (await currencyOf(request, context));
  const asked = new URL(request.url).searchParams.get('version');
  const version = asked === 'ip' || asked === 'ft' ? asked : null;
  const { apiUrl, countryHeader } = context.settings;
  const country = countryHeader && request.headers.get(countryHeader);
  const key = `${apiUrl} ${language} ${version} ${currency} ${country}`;
  const known = remembered.get(key);
  if (known && Date.now() - known.at < FRESH_MS) return known.settings;
  const body = { localStorageId: 'server', deviceType: 'web', language, version, currency };
  const settings = callApi(settingsRoutes.readSettings, { body }, { context, request, isDetached: true });
  remembered.set(key, { settings, at: Date.now() });
  settings.catch(() => remembered.delete(key));
  return settings;
}
