import { isIP } from 'node:net';

/** An invalid environment variable, named in the message. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

export type Environment = Readonly<Record<string, string | undefined>>;

export function readPort(env: Environment, name: string, fallback: number): number {
  const text = env[name];
  if (!text) return fallback;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new SettingsError(`${name} must be a port number from 0 to 65535; it is '${text}'.`);
  }
  return port;
}

export function readMilliseconds(env: Environment, name: string, fallback: number): number {
  const text = env[name];
  if (!text) return fallback;
  const duration = Number(text);
  if (!Number.isInteger(duration) || duration < 1) {
    throw new SettingsError(`${name} must be a number of milliseconds; it is '${text}'.`);
  }
  return duration;
}

export function readUrl(env: Environment, name: string, fallback: string): URL {
  const text = env[name] || fallback;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new SettingsError(`${name} must be an http or https address; it is '${text}'.`);
  }
  return url;
}

/** Null when it isn't set. */
export const readOptionalUrl = (env: Environment, name: string): URL | null =>
  env[name] ? readUrl(env, name, '') : null;

export function readOrigin(env: Environment, name: string, fallback: string): URL {
  const url = readUrl(env, name, fallback);
  if (url.pathname !== '/' || url.search || url.hash) {
    throw new SettingsError(`${name} must be an http or https address without a path; it is '${url.href}'.`);
  }
  return url;
}

export function readChoice<const Choice extends string>(
  env: Environment,
  name: string,
  choices: readonly Choice[],
  fallback: Choice,
): Choice {
  const text = env[name] || fallback;
  const choice = choices.find((one) => one === text);
  if (!choice) throw new SettingsError(`${name} must be one of ${choices.join(', ')}; it is '${text}'.`);
  return choice;
}

/** Upper-case ISO 3166-1 codes, separated by commas. */
export function readCountries(env: Environment, name: string): readonly string[] {
  const codes = (env[name] ?? '')
    .toUpperCase()
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean);
  const bad = codes.find((code) => !/^[A-Z]{2}$/.test(code));
  if (bad === undefined) return codes;
  throw new SettingsError(`${name} must hold two-letter country codes; it has '${bad}'.`);
}

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

function isNetwork(text: string): boolean {
  if (NAMED_NETWORKS.includes(text)) return true;
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 6 ? 128 : 32));
}

export const readOrigins = (env: Environment, name: string): string[] =>
  (env[name] ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean)
    .map((origin) => readOrigin({ [name]: origin }, name, '').origin);

/** IP addresses and CIDR ranges, separated by commas. */
export function readNetworks(env: Environment, name: string): readonly string[] {
  const networks = (env[name] ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean);
  const bad = networks.find((text) => !isNetwork(text));
  if (bad === undefined) return networks;
  throw new SettingsError(
    `${name} must hold addresses, networks (10.0.0.0/8) or one of ${NAMED_NETWORKS.join(', ')}; it has '${bad}'.`,
  );
}

const SECRET_MIN_LENGTH = 32;

export function readSecret(env: Environment, name: string): string {
  const secret = env[name] ?? '';
  if (secret.length < SECRET_MIN_LENGTH)
    throw new SettingsError(`${name} must be a secret of at least ${SECRET_MIN_LENGTH} characters.`);
  return secret;
}
