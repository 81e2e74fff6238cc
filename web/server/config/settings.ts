import {
  type Environment,
  readChoice,
  readNetworks,
  readOrigin,
  readPort,
  readSecret,
  SettingsError,
} from './environment.ts';
import { type IdentitySettings, readIdentitySettings } from './identity-settings.ts';

export { SettingsError } from './environment.ts';

/** What the frontend is told by its environment. Read once, at start. */
export interface Settings {
  /** `local` also serves the pages for developers. */
  readonly environment: 'local' | 'production';
  /** Port the frontend listens on. */
  readonly port: number;
  /** Address it listens on; 0.0.0.0 is every address of the machine. */
  readonly host: string;
  /** Origin of the backend, without a path. */
  readonly apiUrl: URL;
  /** Origin under which visitors reach the product, without a path. */
  readonly publicUrl: URL;
  /** Signs the session cookie. */
  readonly cookieSecret: string;
  /** Least grave kind of line that is logged. */
  readonly logLevel: string;
  /** Tells the backend that a forwarded address is to be believed. */
  readonly internalSecret: string;
  readonly identity: IdentitySettings;
  /** Networks of trusted proxies, whose `X-Forwarded-For` is used. */
  readonly trustedProxies: readonly string[];
  /** Origin of signed addresses of the object store; null where the backend serves media itself. */
  readonly storageOrigin: string | null;
  /** Header that says which country a visitor is in; null where none is set. */
  readonly countryHeader: string | null;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;

const OWN_MACHINE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Session cookies must not be sent over plain HTTP. */
function readPublicUrl(env: Environment, fallback: string, environment: Settings['environment']): URL {
  const url = readOrigin(env, 'PUBLIC_URL', fallback);
  if (environment === 'production' && url.protocol !== 'https:' && !OWN_MACHINE.test(url.hostname)) {
    throw new SettingsError(`PUBLIC_URL must begin with https:// in production; it is '${url.origin}'.`);
  }
  return url;
}

/**
 * Reads and checks the environment.
 * @throws SettingsError naming the first variable that cannot be used
 */
export function readSettings(env: Environment): Settings {
  const environment = readChoice(env, 'CLEARFRAME_ENV', ['local', 'production'], 'local');
  const port = readPort(env, 'WEB_PORT', 3000);
  return {
    environment,
    port,
    host: env.WEB_HOST || '127.0.0.1',
    logLevel: readChoice(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    apiUrl: readOrigin(env, 'API_URL', 'http://127.0.0.1:4000'),
    publicUrl: readPublicUrl(env, `http://localhost:${port}`, environment),
    cookieSecret: readSecret(env, 'CLEARFRAME_COOKIE_SECRET'),
    internalSecret: readSecret(env, 'CLEARFRAME_INTERNAL_SECRET'),
    identity: readIdentitySettings(env, environment),
    trustedProxies: readNetworks(env, 'TRUSTED_PROXIES'),
    storageOrigin: env.STORAGE_ORIGIN ? readOrigin(env, 'STORAGE_ORIGIN', '').origin : null,
    // Locally visitors may say where they would like to be; the backend has the same rule.
    countryHeader: env.COUNTRY_HEADER?.toLowerCase() || (environment === 'local' ? 'x-sandbox-country' : null),
  };
}
