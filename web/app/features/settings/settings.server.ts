import { type Currency, type Settings, settingsRoutes } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { ApiError, callApi } from '../../http/api.server';
import { deviceTypeOf } from '../../http/client-of.server';
import { languageOf } from '../../i18n/i18n.server';
import { localStorageIdOf } from '../../session/local-storage-id.server';
import { testerCookie } from '../../session/preferences.server';
import { tokenOf } from '../../session/visitor.server';
import { currencyOf } from './currency.server';

/** Delay until an operator's change is visible. */
const CACHE_MS = 3_000;

/** Visitors whose settings are cached. */
const CACHED_VISITORS = 1_000;

interface CachedSettings {
  readonly settings: Promise<Settings>;
  readonly at: number;
}
const cache = new Map<string, CachedSettings>();

/**
 * Flags and offers for this visitor, with the segments of running experiments. The `version` query parameter may force an
 * offer.
 * @param fixedCurrency that of a subscription or a chosen price; {@link currencyOf} by default
 * @throws ApiError
 */
export async function settingsOf(
  request: Request,
  context: AppLoadContext,
  fixedCurrency?: Currency,
): Promise<Settings> {
  const [language, currency, localStorageId, token, isUncached] = await Promise.all([
    languageOf(request),
    fixedCurrency ?? currencyOf(request, context),
    localStorageIdOf(request, context),
    tokenOf(request, context),
    // Staff sees a forced segment at once.
    testerCookie.read(request, context),
  ]);
  const parameter = new URL(request.url).searchParams.get('version');
  const version = parameter === 'ip' || parameter === 'ft' ? parameter : null;
  const deviceType = deviceTypeOf(request.headers.get('user-agent'));
  const body = { localStorageId, deviceType, language, version, currency };
  const { apiUrl, countryHeader } = context.settings;
  const country = countryHeader && request.headers.get(countryHeader);
  const key = JSON.stringify([apiUrl, body, country, token]);
  const known = isUncached ? undefined : cache.get(key);
  if (known && Date.now() - known.at < CACHE_MS) return known.settings;
  const caller = { context, request, isDetached: true };
  const settings = callApi(settingsRoutes.getSettings, { body }, { ...caller, token }).catch((error: unknown) => {
    // An ended session is closed by the page's own calls.
    if (!(error instanceof ApiError && error.code === 'users.not_authorized')) throw error;
    return callApi(settingsRoutes.getSettings, { body }, caller);
  });
  remember(key, settings);
  settings.then(
    ({ hasCaptcha }) => reportCaptchaKeys(hasCaptcha, context),
    () => cache.delete(key),
  );
  return settings;
}

/** Replaces the oldest beyond {@link CACHED_VISITORS}. */
function remember(key: string, settings: Promise<Settings>): void {
  cache.delete(key);
  cache.set(key, { settings, at: Date.now() });
  const [oldest] = cache.keys();
  if (cache.size > CACHED_VISITORS && oldest !== undefined) cache.delete(oldest);
}

let areKeysReported = false;

/** `web` has one of reCAPTCHA's keys and `api` the other, so neither can tell at its start that one is missing. */
function reportCaptchaKeys(isVerified: boolean, { settings, logger }: AppLoadContext): void {
  if (areKeysReported || isVerified === (settings.captcha !== null)) return;
  areKeysReported = true;
  logger.error(
    isVerified
      ? 'api has a RECAPTCHA_SECRET_KEY but web has no RECAPTCHA_SITE_KEY: forms are sent without tokens'
      : 'web has a RECAPTCHA_SITE_KEY but api has no RECAPTCHA_SECRET_KEY: tokens are not verified',
  );
}
