/** What the frontend is told by its environment. Read once, at start. */
export interface Settings {
  /** Whether this is somebody's own machine, where pages for those who build the product are shown too. */
  readonly environment: 'local' | 'production';
  /** Port the frontend listens on. */
  readonly port: number;
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
}

/** The environment holds something that cannot be used. The message names the variable. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const SHORTEST_SECRET = 32;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'];

type Environment = Readonly<Record<string, string | undefined>>;

function readPort(env: Environment, name: string, fallback: number): number {
  const text = env[name];
  if (!text) return fallback;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new SettingsError(`${name} must be a port number from 0 to 65535; it is '${text}'.`);
  }
  return port;
}

function readOrigin(env: Environment, name: string, fallback: string): URL {
  const text = env[name] || fallback;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/' || url.search || url.hash) {
    throw new SettingsError(`${name} must be an http or https address without a path; it is '${text}'.`);
  }
  return url;
}

function readSecret(env: Environment, name: string): string {
  const secret = env[name] ?? '';
  if (secret.length < SHORTEST_SECRET)
    throw new SettingsError(`${name} must be a secret of at least ${SHORTEST_SECRET} characters.`);
  return secret;
}

/**
 * Reads and checks the environment.
 * @throws SettingsError naming the first variable that cannot be used
 */
export function readSettings(env: Environment): Settings {
  const environment = env.CLEARFRAME_ENV || 'local';
  if (environment !== 'local' && environment !== 'production') {
    throw new SettingsError(`CLEARFRAME_ENV must be 'local' or 'production'; it is '${environment}'.`);
  }
  const logLevel = env.LOG_LEVEL || 'info';
  if (!LOG_LEVELS.includes(logLevel)) {
    throw new SettingsError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}; it is '${logLevel}'.`);
  }
  const port = readPort(env, 'WEB_PORT', 3000);
  return {
    environment,
    port,
    logLevel,
    apiUrl: readOrigin(env, 'API_URL', 'http://127.0.0.1:4000'),
    publicUrl: readOrigin(env, 'PUBLIC_URL', `http://localhost:${port}`),
    cookieSecret: readSecret(env, 'CLEARFRAME_COOKIE_SECRET'),
    internalSecret: readSecret(env, 'CLEARFRAME_INTERNAL_SECRET'),
  };
}
