import { isIP } from 'node:net';
import { TIME_LIMITS } from '@clearframe/contract';
import { z } from 'zod';

/** An invalid environment variable, named in the message. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

export type Environment = Readonly<Record<string, string | undefined>>;

const number = (min: number, max: number, what: string) =>
  z.coerce.number(what).int(what).min(min, what).max(max, what);
const port = number(0, 65_535, 'must be a port number from 0 to 65535');
const milliseconds = number(1, Number.MAX_SAFE_INTEGER, 'must be a number of milliseconds');

const url = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((text) => new URL(text));
const origin = url.refine(
  ({ pathname, search, hash }) => pathname === '/' && !search && !hash,
  'must be an http or https address without a path',
);

/** Separated by commas. */
const listOf = <Item extends z.ZodType<unknown, string>>(item: Item) =>
  z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
    .pipe(z.array(item));

const country = z
  .string()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'must hold two-letter country codes');

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];
const network = z
  .string()
  .refine(isNetwork, `must hold addresses, networks (10.0.0.0/8) or one of ${NAMED_NETWORKS.join(', ')}`);

function isNetwork(text: string): boolean {
  if (NAMED_NETWORKS.includes(text)) return true;
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 6 ? 128 : 32));
}

const secret = z.string('must be set').min(32, 'must be a secret of at least 32 characters');

/** Empty variables count as unset. */
const Variables = z.object({
  CLEARFRAME_ENV: z.enum(['local', 'production']).default('local'),
  WEB_PORT: port.default(3000),
  WEB_HOST: z.string().default('127.0.0.1'),
  WEB_METRICS_PORT: port.optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  API_URL: origin.default(new URL('http://127.0.0.1:4000')),
  WEB_API_TIMEOUT_MS: milliseconds.default(TIME_LIMITS.call.web),
  WEB_OPTIONAL_DATA_TIMEOUT_MS: milliseconds.default(1_500),
  PUBLIC_URL: origin.optional(),
  CLEARFRAME_COOKIE_SECRET: secret,
  CLEARFRAME_INTERNAL_SECRET: secret,
  IDENTITY_PROVIDER: z.enum(['sandbox', 'firebase', 'none']).optional(),
  FIREBASE_PROJECT_ID: z.string().optional(),
  FIREBASE_API_KEY: z.string().optional(),
  FIREBASE_AUTH_DOMAIN: z.string().optional(),
  FIREBASE_APP_ID: z.string().optional(),
  FIREBASE_AUTH_EMULATOR_HOST: z.string().optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_IDENTITY_SCRIPT_URL: url.default(new URL('https://accounts.google.com/gsi/client')),
  GOOGLE_TOKEN_INFO_URL: url.default(new URL('https://oauth2.googleapis.com/tokeninfo')),
  RECAPTCHA_SITE_KEY: z.string().optional(),
  RECAPTCHA_SCRIPT_URL: url.default(new URL('https://www.google.com/recaptcha/api.js')),
  TAG_MANAGER_ID: z.string().optional(),
  TAG_MANAGER_SCRIPT_URL: url.default(new URL('https://www.googletagmanager.com/gtm.js')),
  CONSENT_PLATFORM_ID: z.string().optional(),
  CONSENT_PLATFORM_SCRIPT_URL: url.default(new URL('https://cdn.cookielaw.org/scripttemplates/otSDKStub.js')),
  SURVEY_SCRIPT_URL: url.optional(),
  THIRD_PARTY_ORIGINS: listOf(origin),
  ANALYTICS_URL: url.optional(),
  MONITORING_URL: url.optional(),
  MONITORING_APP_ID: z.string().default('web'),
  TRUSTED_PROXIES: listOf(network),
  STORAGE_ORIGIN: origin.optional(),
  PAYMENT_ORIGINS: listOf(origin),
  COUNTRY_HEADER: z.string().toLowerCase().optional(),
  BLOCKED_SERVICE_COUNTRIES: listOf(country),
  LANDING_VERSION: z
    .string()
    .regex(/^[\w.-]{0,50}$/, "must be up to 50 letters, digits, '.', '_' or '-'")
    .default('1'),
  BOOK_A_CALL_URL: url.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  SENTRY_DSN: url.optional(),
});
type Variables = z.infer<typeof Variables>;

function parse(env: Environment): Variables {
  // An empty version switches it off.
  const set = Object.entries(env).filter(([name, text]) => text || name === 'LANDING_VERSION');
  const { data, error } = Variables.safeParse(Object.fromEntries(set));
  if (data) return data;
  const [{ path: [name = ''] = [], message = '' } = {}] = error.issues;
  const value = String(name).endsWith('_SECRET') ? '' : `; it is '${env[String(name)]}'`;
  throw new SettingsError(`${String(name)} ${message}${value}.`);
}

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

export type Settings = Readonly<ReturnType<typeof readSettings>>;

/** @throws SettingsError naming the first invalid variable */
export function readSettings(env: Environment) {
  const variables = parse(env);
  const { CLEARFRAME_ENV: environment, WEB_PORT: webPort } = variables;
  const publicUrl = variables.PUBLIC_URL ?? new URL(`http://localhost:${webPort}`);
  // Session cookies must not travel over plain HTTP.
  if (environment === 'production' && publicUrl.protocol !== 'https:' && !LOOPBACK_HOST.test(publicUrl.hostname))
    throw new SettingsError(`PUBLIC_URL must begin with https:// in production; it is '${publicUrl.origin}'.`);
  const thirdParties = thirdPartiesIn(variables);
  return {
    /** `local` also serves the pages for developers. */
    environment,
    port: webPort,
    /** Address to listen on; 0.0.0.0 for all interfaces. */
    host: variables.WEB_HOST,
    /** Of `/metrics` on the same address; null without one. */
    metricsPort: variables.WEB_METRICS_PORT ?? null,
    logLevel: variables.LOG_LEVEL,
    /** Origin of the backend, without a path. */
    apiUrl: variables.API_URL,
    /** Limit of a call to the backend. */
    apiTimeoutMs: variables.WEB_API_TIMEOUT_MS,
    /** Pages render without data that they can do without when the backend takes longer. */
    optionalDataTimeoutMs: variables.WEB_OPTIONAL_DATA_TIMEOUT_MS,
    /** Origin of the product for visitors, without a path. */
    publicUrl,
    cookieSecret: variables.CLEARFRAME_COOKIE_SECRET,
    /** Authenticates the web server at the backend, which then trusts its `X-Forwarded-For`. */
    internalSecret: variables.CLEARFRAME_INTERNAL_SECRET,
    identity: identityIn(variables),
    captcha: captchaIn(variables),
    thirdParties,
    thirdPartyOrigins: thirdPartyOriginsOf(thirdParties, variables),
    /** Hosts of usage events and of errors; null for the product's own. */
    analyticsUrl: variables.ANALYTICS_URL ?? null,
    monitoring: { url: variables.MONITORING_URL ?? null, appId: variables.MONITORING_APP_ID },
    /** Whether a collector of traces is named. */
    isTraced: variables.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    /** Project of a service that errors are sent to; null for none. */
    sentryDsn: variables.SENTRY_DSN?.href ?? null,
    /** Networks of trusted proxies, whose `X-Forwarded-For` is used. */
    trustedProxies: variables.TRUSTED_PROXIES,
    /** Origin of signed object store URLs; null where the backend serves media. */
    storageOrigin: variables.STORAGE_ORIGIN?.origin ?? null,
    /** Origins of the payment providers' scripts, frames and pages. */
    paymentOrigins: variables.PAYMENT_ORIGINS.map((one) => one.origin),
    // Lets local visitors choose a country; the backend does the same.
    countryHeader: variables.COUNTRY_HEADER ?? (environment === 'local' ? 'x-sandbox-country' : null),
    /** Countries without service; the backend has the same. */
    blockedServiceCountries: variables.BLOCKED_SERVICE_COUNTRIES,
    /** Value of the query parameter `v` that the home page adds to its address; null adds none. */
    landingVersion: variables.LANDING_VERSION || null,
    /** Calendar in which visitors book a call; null without one. */
    callUrl: variables.BOOK_A_CALL_URL?.href ?? null,
  };
}

/** @throws SettingsError for an address over plain HTTP in production */
function secure(address: URL, name: keyof Variables, { CLEARFRAME_ENV }: Variables, reason: string): string {
  if (CLEARFRAME_ENV === 'local' || address.protocol === 'https:') return address.href;
  throw new SettingsError(`${name} must begin with https:// in production: ${reason}.`);
}

/** The login provider; must equal the backend's setting. */
export type IdentitySettings = ReturnType<typeof identityIn>;

function identityIn(variables: Variables) {
  const isProduction = variables.CLEARFRAME_ENV === 'production';
  const provider = variables.IDENTITY_PROVIDER ?? (isProduction ? 'none' : 'sandbox');
  if (isProduction && provider === 'sandbox')
    throw new SettingsError('IDENTITY_PROVIDER must not be sandbox in production: it signs in without credentials.');
  if (isProduction && variables.FIREBASE_AUTH_EMULATOR_HOST)
    throw new SettingsError('FIREBASE_AUTH_EMULATOR_HOST must not be set in production: its tokens are unsigned.');
  return {
    provider,
    firebase: provider === 'firebase' ? firebaseIn(variables) : null,
    oneTap: provider === 'none' ? null : oneTapIn(variables),
  };
}

export type FirebaseSettings = ReturnType<typeof firebaseIn>;

function firebaseIn(variables: Variables) {
  const needed = (name: 'FIREBASE_PROJECT_ID' | 'FIREBASE_API_KEY' | 'FIREBASE_AUTH_DOMAIN'): string => {
    const value = variables[name];
    if (!value) throw new SettingsError(`${name} must be set while IDENTITY_PROVIDER is firebase.`);
    return value;
  };
  const emulator = variables.FIREBASE_AUTH_EMULATOR_HOST;
  if (emulator && !origin.safeParse(`http://${emulator}`).success)
    throw new SettingsError(`FIREBASE_AUTH_EMULATOR_HOST must be a host and a port; it is '${emulator}'.`);
  return {
    projectId: needed('FIREBASE_PROJECT_ID'),
    // The emulator needs no key and serves as its own domain.
    apiKey: emulator ? (variables.FIREBASE_API_KEY ?? 'emulator') : needed('FIREBASE_API_KEY'),
    authDomain: emulator ? (variables.FIREBASE_AUTH_DOMAIN ?? emulator) : needed('FIREBASE_AUTH_DOMAIN'),
    appId: variables.FIREBASE_APP_ID ?? null,
    /** Origin of the Firebase emulator. */
    emulatorUrl: emulator ? new URL(`http://${emulator}`).origin : null,
  };
}

export type OneTapSettings = NonNullable<IdentitySettings['oneTap']>;

function oneTapIn(variables: Variables) {
  const {
    GOOGLE_CLIENT_ID: clientId,
    GOOGLE_IDENTITY_SCRIPT_URL: script,
    GOOGLE_TOKEN_INFO_URL: tokenInfo,
  } = variables;
  if (!clientId) return null;
  const reason = 'it authenticates users';
  return {
    clientId,
    scriptUrl: secure(script, 'GOOGLE_IDENTITY_SCRIPT_URL', variables, reason),
    /** Google's endpoint that validates ID tokens. */
    tokenInfoUrl: secure(tokenInfo, 'GOOGLE_TOKEN_INFO_URL', variables, reason),
  };
}

/** Google's own hosts; the second one where google.com can't be reached. */
const CAPTCHA_HOSTS = ['www.google.com', 'www.recaptcha.net'];

/** reCAPTCHA v3. */
export type CaptchaSettings = NonNullable<ReturnType<typeof captchaIn>>;

/** Null without a captcha. */
function captchaIn({ CLEARFRAME_ENV, RECAPTCHA_SITE_KEY: siteKey, RECAPTCHA_SCRIPT_URL: script }: Variables) {
  if (!siteKey) return null;
  const isGoogle = script.protocol === 'https:' && CAPTCHA_HOSTS.includes(script.hostname);
  if (CLEARFRAME_ENV === 'production' && !isGoogle)
    throw new SettingsError(
      `RECAPTCHA_SCRIPT_URL must be at https://${CAPTCHA_HOSTS.join(' or https://')} in production.`,
    );
  return { siteKey, scriptUrl: script.href };
}

/** Scripts of others, each null unless configured. */
export type ThirdParties = ReturnType<typeof thirdPartiesIn>;

function thirdPartiesIn(variables: Variables) {
  const { TAG_MANAGER_ID: container, CONSENT_PLATFORM_ID: domainId, SURVEY_SCRIPT_URL: survey } = variables;
  const script = (address: URL, name: keyof Variables): string =>
    secure(address, name, variables, 'its script runs in every page');
  const tagManager = new URL(variables.TAG_MANAGER_SCRIPT_URL);
  if (container) tagManager.searchParams.set('id', container);
  const platform = variables.CONSENT_PLATFORM_SCRIPT_URL;
  return {
    /** Includes the container's id. */
    tagManagerUrl: container ? script(tagManager, 'TAG_MANAGER_SCRIPT_URL') : null,
    /** OneTrust, with its id of the site. Replaces the product's own banner. */
    consentPlatform: domainId ? { domainId, scriptUrl: script(platform, 'CONSENT_PLATFORM_SCRIPT_URL') } : null,
    surveyUrl: survey ? script(survey, 'SURVEY_SCRIPT_URL') : null,
  };
}

/** Origins that the scripts need in the content security policy: their own, and `THIRD_PARTY_ORIGINS`. */
function thirdPartyOriginsOf(
  { tagManagerUrl, consentPlatform, surveyUrl }: ThirdParties,
  { THIRD_PARTY_ORIGINS: others }: Variables,
): string[] {
  const urls = [tagManagerUrl, consentPlatform?.scriptUrl, surveyUrl];
  const own = urls.flatMap((one) => (one ? [new URL(one).origin] : []));
  return own.length === 0 ? [] : [...new Set([...own, ...others.map((one) => one.origin)])];
}
