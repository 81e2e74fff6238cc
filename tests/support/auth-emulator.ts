import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../runtime/test/ports.ts';
import { until } from './product/until.ts';

const PROGRAM = fileURLToPath(new URL('./auth-emulator-process.mjs', import.meta.url));
/** With this prefix no SDK contacts Google. */
const PROJECT = 'demo-clearframe';
/** The emulator accepts any API key, and this administrator token. */
const API_KEY = 'any';
const ADMINISTRATOR = { authorization: 'Bearer owner' };
const READY_MS = 90_000;

export interface EmulatorPersona {
  readonly provider: 'google.com' | 'facebook.com' | 'apple.com';
  readonly email: string;
  /** Default: true for Google and Apple, false for Facebook. */
  readonly emailVerified?: boolean;
}

interface EmulatorUser {
  readonly uid: string;
  readonly idToken: string;
}

export interface AuthEmulator {
  /** For `FIREBASE_AUTH_EMULATOR_HOST`. */
  readonly host: string;
  readonly projectId: string;
  readonly apiKey: string;
  /** The same address is the same user. */
  signIn(persona: EmulatorPersona): Promise<EmulatorUser>;
  link(user: EmulatorUser, persona: EmulatorPersona): Promise<EmulatorUser>;
  signInAnonymously(): Promise<EmulatorUser>;
  signUpWithPassword(email: string): Promise<EmulatorUser>;
  disable(uid: string): Promise<void>;
  /** Revokes earlier tokens. */
  revoke(uid: string): Promise<void>;
  exists(uid: string): Promise<boolean>;
  stop(): Promise<void>;
}

/** Without accounts; one per test file is enough. */
export async function startAuthEmulator(): Promise<AuthEmulator> {
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  const child = spawn(process.execPath, [PROGRAM, PROJECT, String(port)], {
    // The emulator ends with the IPC channel, also when this process is killed.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let printed = '';
  for (const output of [child.stdout, child.stderr]) output?.on('data', (chunk: Buffer) => (printed += chunk));
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  try {
    await until(
      'the authentication emulator is ready',
      async () => {
        if (child.exitCode !== null) throw new Error(`the emulator ended with ${child.exitCode}:\n${printed}`);
        return (await fetch(`http://${host}/`).catch(() => null))?.ok;
      },
      { deadlineMs: READY_MS },
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { host, projectId: PROJECT, apiKey: API_KEY, stop, ...createClient(host) };
}

interface EmulatorResponse {
  readonly localId?: string;
  readonly idToken?: string;
  readonly users?: readonly unknown[];
}

const userOf = ({ localId = '', idToken = '' }: EmulatorResponse): EmulatorUser => ({ uid: localId, idToken });

function createClient(host: string): Omit<AuthEmulator, 'host' | 'projectId' | 'apiKey' | 'stop'> {
  const call = async (
    path: string,
    body: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<EmulatorResponse> => {
    const response = await fetch(`http://${host}/identitytoolkit.googleapis.com/v1/${path}?key=${API_KEY}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const json = (await response.json()) as EmulatorResponse;
    if (!response.ok) throw new Error(`the emulator answered ${response.status}: ${JSON.stringify(json)}`);
    return json;
  };
  const administer = (path: string, body: object) => call(`projects/${PROJECT}/${path}`, body, ADMINISTRATOR);
  const signUp = async (body: object): Promise<EmulatorUser> => {
    return userOf(await call('accounts:signUp', { ...body, returnSecureToken: true }));
  };
  const signInWith = async (persona: EmulatorPersona, current?: EmulatorUser): Promise<EmulatorUser> => {
    const { provider, email, emailVerified = provider !== 'facebook.com' } = persona;
    // Accepted in place of a provider's signed token.
    const claims = JSON.stringify({ sub: `${provider}:${email}`, email, email_verified: emailVerified });
    return userOf(
      await call('accounts:signInWithIdp', {
        postBody: new URLSearchParams({ id_token: claims, providerId: provider }).toString(),
        requestUri: 'http://localhost',
        returnSecureToken: true,
        ...(current ? { idToken: current.idToken } : {}),
      }),
    );
  };
  return {
    signIn: (persona) => signInWith(persona),
    link: (user, persona) => signInWith(persona, user),
    signInAnonymously: () => signUp({}),
    // The first token may seem revoked: its `auth_time` is taken before the `validSince` of the password.
    signUpWithPassword: async (email) => {
      const credentials = { email, password: 'a-long-password' };
      await signUp(credentials);
      return userOf(await call('accounts:signInWithPassword', { ...credentials, returnSecureToken: true }));
    },
    disable: async (uid) => {
      await administer('accounts:update', { localId: uid, disableUser: true });
    },
    // `iat` has a resolution of one second.
    revoke: async (uid) => {
      await administer('accounts:update', { localId: uid, validSince: String(Math.floor(Date.now() / 1000) + 1) });
    },
    exists: async (uid) => Boolean((await administer('accounts:lookup', { localId: [uid] })).users?.length),
  };
}
