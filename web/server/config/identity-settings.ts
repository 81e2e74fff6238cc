import { type Environment, readChoice, readOrigin, readUrl, SettingsError } from './environment.ts';

/** What the browser needs to know to talk to Firebase. None of it is secret. */
export interface FirebaseSettings {
  readonly apiKey: string;
  readonly authDomain: string;
  readonly projectId: string;
  readonly appId: string | null;
  /** Origin of the emulator that stands in for Firebase, on a builder's machine. */
  readonly emulatorUrl: string | null;
}

/** Google's prompt on the home page. */
export interface OneTapSettings {
  readonly clientId: string;
  readonly scriptUrl: string;
  /** Where Google says what an identity token is worth. */
  readonly tokenInfoUrl: string;
}

/** Who signs people in; the backend has to be told the same. */
export interface IdentitySettings {
  readonly provider: 'sandbox' | 'firebase' | 'none';
  readonly firebase: FirebaseSettings | null;
  readonly oneTap: OneTapSettings | null;
}

const PROVIDERS = ['sandbox', 'firebase', 'none'] as const;
const GOOGLE_SCRIPT = 'https://accounts.google.com/gsi/client';
const GOOGLE_TOKEN_INFO = 'https://oauth2.googleapis.com/tokeninfo';

/**
 * Reads how people sign in.
 * @throws SettingsError naming the first variable that cannot be used
 */
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
    // The emulator asks for no key and is its own domain.
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
