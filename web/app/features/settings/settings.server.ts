import { type Currency, type Settings, settingsRoutes } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import type { z } from 'zod';
import { callApi } from '../../http/api.server';
import { languageOf } from '../../i18n/i18n.server';
import { localStorageIdOf } from '../../session/local-storage-id.server';
import { isTester } from '../../session/tester.server';
import { tokenOf } from '../../session/visitor.server';
import { currencyOf } from './currency.server';

/** Delay until an operator's change is visible. */
const CACHE_MS = 3_000;

interface CachedSettings {
  readonly settings: Promise<Settings>;
  readonly at: number;
}
const cache = new Map<string, CachedSettings>();

/**
 * Flags and offers: the same for all, or while experiments run, the visitor's own. The `version` query parameter may
 * force an offer.
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
  const terms = { deviceType: 'web', language, version, currency };
  const shared = await sharedSettings(terms, request, context);
  const isOwn = Object.keys(shared.experiments).length > 0 || (await isTester(request, context));
  return isOwn ? ownSettings(terms, request, context).catch(() => shared) : shared;
}

type Terms = Omit<z.input<typeof settingsRoutes.readSettings.body>, 'localStorageId'>;

function sharedSettings(terms: Terms, request: Request, context: AppLoadContext): Promise<Settings> {
  const { apiUrl, countryHeader } = context.settings;
  const country = countryHeader && request.headers.get(countryHeader);
  const key = `${apiUrl} ${terms.language} ${terms.version} ${terms.currency} ${country}`;
  const cached = cache.get(key);
  if (cached && Date.now() - cached.at < CACHE_MS) return cached.settings;
  const body = { localStorageId: 'server', ...terms };
  const settings = callApi(settingsRoutes.readSettings, { body }, { context, request, isDetached: true });
  cache.set(key, { settings, at: Date.now() });
  settings.then(
    ({ hasCaptcha }) => reportCaptchaKeys(hasCaptcha, context),
    () => cache.delete(key),
  );
  return settings;
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

async function ownSettings(terms: Terms, request: Request, context: AppLoadContext): Promise<Settings> {
  const [localStorageId, token] = await Promise.all([localStorageIdOf(request, context), tokenOf(request, context)]);
  return callApi(settingsRoutes.readSettings, { body: { localStorageId, ...terms } }, { context, request, token });
}
