import { type Environment, readChoice, readOrigin, readUrl, SettingsError } from './environment.ts';

export interface FirebaseSettings {
  readonly apiKey: string;
  readonly authDomain: string;
  readonly projectId: string;
  readonly appId: string | null;
  /** Origin of the Firebase emulator. */
  readonly emulatorUrl: string | null;
}

export interface OneTapSettings {
  readonly clientId: string;
  readonly scriptUrl: string;
  /** Google's endpoint that validates ID tokens. */
  readonly tokenInfoUrl: string;
}

/** The login provider; must equal the backend's setting. */
export interface IdentitySettings {
  readonly provider: 'sandbox' | 'firebase' | 'none';
  readonly firebase: FirebaseSettings | null;
  readonly oneTap: OneTapSettings | null;
}

const PROVIDERS = ['sandbox', 'firebase', 'none'] as const;
const GOOGLE_SCRIPT = 'https://accounts.google.com/gsi/client';
const GOOGLE_TOKEN_INFO = 'https://oauth2.googleapis.com/tokeninfo';

/** @throws SettingsError naming the first invalid variable */
export function readIdentitySettings(env: Environment, environment: 'local' | 'production'): IdentitySettings {
  const isProduction = environment === 'production';
  const provider = readChoice(env, 'IDENTITY_PROVIDER', PROVIDERS, isProduction ? 'none' : 'sandbox');
  if (isProduction && provider === 'sandbox') {
    throw new SettingsError('IDENTITY_PROVIDER must not be sandbox in production: it signs in without credentials.');
  }
  if (isProduction && env.FIREBASE_AUTH_EMULATOR_HOST) {
    throw new SettingsError('FIREBASE_AUTH_EMULATOR_HOST must not be set in production: its tokens are unsigned.');
  }
  return {
    provider,
    firebase: provider === 'firebase' ? readFirebase(env) : null,
    oneTap: provider === 'none' ? null : readOneTap(env, isProduction),
  };
}

function readFirebase(env: Environment): FirebaseSettings {
  const needed = (name: string): string => {
    const value = env[name];
    if (!value) throw new SettingsError(`${name} must be set while IDENTITY_PROVIDER is firebase.`);
    return value;
  };
  const emulator = env.FIREBASE_AUTH_EMULATOR_HOST;
  const projectId = needed('FIREBASE_PROJECT_ID');
  return {
    projectId,
    // The emulator needs no key and serves as its own domain.
    apiKey: emulator ? env.FIREBASE_API_KEY || 'emulator' : needed('FIREBASE_API_KEY'),
    authDomain: emulator ? env.FIREBASE_AUTH_DOMAIN || emulator : needed('FIREBASE_AUTH_DOMAIN'),
    appId: env.FIREBASE_APP_ID || null,
    emulatorUrl: emulator
      ? readOrigin({ FIREBASE_AUTH_EMULATOR_HOST: `http://${emulator}` }, 'FIREBASE_AUTH_EMULATOR_HOST', '').origin
      : null,
  };
}

function readOneTap(env: Environment, isProduction: boolean): OneTapSettings | null {
  if (!env.GOOGLE_CLIENT_ID) return null;
  const address = (name: string, fallback: string): string => {
    const url = readUrl(env, name, fallback);
    if (!isProduction || url.protocol === 'https:') return url.href;
    throw new SettingsError(`${name} must begin with https:// in production: it authenticates users.`);
  };
  return {
    clientId: env.GOOGLE_CLIENT_ID,
    scriptUrl: address('GOOGLE_IDENTITY_SCRIPT_URL', GOOGLE_SCRIPT),
    tokenInfoUrl: address('GOOGLE_TOKEN_INFO_URL', GOOGLE_TOKEN_INFO),
  };
}
