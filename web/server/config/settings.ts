import { TIME_LIMITS } from '@clearframe/contract';
import { type CaptchaSettings, readCaptchaSettings } from './captcha-settings.ts';
import {
  type Environment,
  readChoice,
  readCountries,
  readMilliseconds,
  readNetworks,
  readOptionalUrl,
  readOrigin,
  readOrigins,
  readPort,
  readSecret,
  SettingsError,
} from './environment.ts';
import { type IdentitySettings, readIdentitySettings } from './identity-settings.ts';
import { readThirdParties, readThirdPartyOrigins, type ThirdParties } from './third-parties.ts';

export { SettingsError } from './environment.ts';

export interface Settings {
  /** `local` also serves the pages for developers. */
  readonly environment: 'local' | 'production';
  readonly port: number;
  /** Address to listen on; 0.0.0.0 for all interfaces. */
  readonly host: string;
  /** Origin of the backend, without a path. */
  readonly apiUrl: URL;
  /** Limit of a call to the backend. */
  readonly apiTimeoutMs: number;
  /** Pages render without data that they can do without when the backend takes longer. */
  readonly optionalDataTimeoutMs: number;
  /** Origin of the product for visitors, without a path. */
  readonly publicUrl: URL;
  readonly cookieSecret: string;
  readonly logLevel: string;
  /** Authenticates the web server at the backend, which then trusts its `X-Forwarded-For`. */
  readonly internalSecret: string;
  readonly identity: IdentitySettings;
  readonly captcha: CaptchaSettings | null;
  readonly thirdParties: ThirdParties;
  /** Origins of third parties' scripts, pictures, frames and calls. */
  readonly thirdPartyOrigins: readonly string[];
  /** Hosts of usage events and of errors; null for the product's own. */
  readonly analyticsUrl: URL | null;
  readonly monitoring: { readonly url: URL | null; readonly appId: string };
  /** Networks of trusted proxies, whose `X-Forwarded-For` is used. */
  readonly trustedProxies: readonly string[];
  /** Origin of signed object store URLs; null where the backend serves media. */
  readonly storageOrigin: string | null;
  /** Origins of the payment providers' scripts, frames and pages. */
  readonly paymentOrigins: readonly string[];
  readonly countryHeader: string | null;
  /** Two-letter codes of countries without service; the backend has the same. */
  readonly blockedServiceCountries: readonly string[];
  /** Value of the query parameter `v` that the home page adds to its address; null adds none. */
  readonly landingVersion: string | null;
  /** Calendar in which visitors book a call; null without one. */
  readonly callUrl: string | null;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Requires https in production, since session cookies must not travel over plain HTTP. */
function readPublicUrl(env: Environment, fallback: string, environment: Settings['environment']): URL {
  const url = readOrigin(env, 'PUBLIC_URL', fallback);
  if (environment === 'production' && url.protocol !== 'https:' && !LOOPBACK_HOST.test(url.hostname)) {
    throw new SettingsError(`PUBLIC_URL must begin with https:// in production; it is '${url.origin}'.`);
  }
  return url;
}

const LANDING_VERSION = /^[\w.-]{0,50}$/;

/** An empty value switches it off. */
function readLandingVersion({ LANDING_VERSION: version = '1' }: Environment): string | null {
  if (LANDING_VERSION.test(version)) return version || null;
  throw new SettingsError(`LANDING_VERSION must be up to 50 letters, digits, '.', '_' or '-'; it is '${version}'.`);
}

/** @throws SettingsError naming the first invalid variable */
export function readSettings(env: Environment): Settings {
  const environment = readChoice(env, 'CLEARFRAME_ENV', ['local', 'production'], 'local');
  const port = readPort(env, 'WEB_PORT', 3000);
  const thirdParties = readThirdParties(env, environment);
  return {
    environment,
    port,
    host: env.WEB_HOST || '127.0.0.1',
    logLevel: readChoice(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    apiUrl: readOrigin(env, 'API_URL', 'http://127.0.0.1:4000'),
    apiTimeoutMs: readMilliseconds(env, 'WEB_API_TIMEOUT_MS', TIME_LIMITS.call.web),
    optionalDataTimeoutMs: readMilliseconds(env, 'WEB_OPTIONAL_DATA_TIMEOUT_MS', 1_500),
    publicUrl: readPublicUrl(env, `http://localhost:${port}`, environment),
    cookieSecret: readSecret(env, 'CLEARFRAME_COOKIE_SECRET'),
    internalSecret: readSecret(env, 'CLEARFRAME_INTERNAL_SECRET'),
    identity: readIdentitySettings(env, environment),
    captcha: readCaptchaSettings(env, environment),
    thirdParties,
    thirdPartyOrigins: readThirdPartyOrigins(env, thirdParties),
    analyticsUrl: readOptionalUrl(env, 'ANALYTICS_URL'),
    monitoring: { url: readOptionalUrl(env, 'MONITORING_URL'), appId: env.MONITORING_APP_ID || 'web' },
    trustedProxies: readNetworks(env, 'TRUSTED_PROXIES'),
    storageOrigin: env.STORAGE_ORIGIN ? readOrigin(env, 'STORAGE_ORIGIN', '').origin : null,
    paymentOrigins: readOrigins(env, 'PAYMENT_ORIGINS'),
    // Lets local visitors choose a country; the backend does the same.
    countryHeader: env.COUNTRY_HEADER?.toLowerCase() || (environment === 'local' ? 'x-sandbox-country' : null),
    blockedServiceCountries: readCountries(env, 'BLOCKED_SERVICE_COUNTRIES'),
    landingVersion: readLandingVersion(env),
    callUrl: readOptionalUrl(env, 'BOOK_A_CALL_URL')?.href ?? null,
  };
}
