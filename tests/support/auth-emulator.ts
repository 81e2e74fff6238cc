import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePorts } from './ports.ts';
import { until } from './until.ts';

/** A project whose name begins like this exists in the emulator only: nothing ever asks Google about it. */
const PROJECT = 'demo-clearframe';
/** The emulator takes any key of the browser's and this token of an administrator's. */
const API_KEY = 'any';
const ADMINISTRATOR = { authorization: 'Bearer owner' };
const READY_MS = 90_000;

/** Who signs in, and by which provider. */
export interface EmulatorPersona {
  readonly provider: 'google.com' | 'facebook.com' | 'apple.com';
  readonly email: string;
  /** Whether the provider vouches for the address; Google and Apple do, Facebook does not. */
  readonly emailVerified?: boolean;
}

/** Somebody who has signed in. */
interface EmulatorUser {
  readonly uid: string;
  readonly idToken: string;
}

/** The real authentication emulator of `firebase-tools`, on a port of its own, with nobody in it. */
export interface AuthEmulator {
  /** As `FIREBASE_AUTH_EMULATOR_HOST` wants it. */
  readonly host: string;
  readonly projectId: string;
  readonly apiKey: string;
  /** Signs somebody in; the same address twice is the same user. */
  signIn(persona: EmulatorPersona): Promise<EmulatorUser>;
  /** Adds another provider to somebody who is signed in. */
  link(user: EmulatorUser, persona: EmulatorPersona): Promise<EmulatorUser>;
  signInAnonymously(): Promise<EmulatorUser>;
  signUpWithPassword(email: string): Promise<EmulatorUser>;
  disable(uid: string): Promise<void>;
  /** Makes every token so far a revoked one. */
  revoke(uid: string): Promise<void>;
  exists(uid: string): Promise<boolean>;
  stop(): Promise<void>;
}

/** Starts it. Takes some seconds, so one for a test file is enough. */
export async function startAuthEmulator(): Promise<AuthEmulator> {
  const folder = await mkdtemp(join(tmpdir(), 'clearframe-auth-emulator-'));
  const [port, hub, logging] = await freePorts(3);
  const host = `127.0.0.1:${port}`;
  const place = (number: number | undefined) => ({ host: '127.0.0.1', port: number });
  const emulators = { auth: place(port), hub: place(hub), logging: place(logging), ui: { enabled: false } };
  await writeFile(join(folder, 'firebase.json'), JSON.stringify({ emulators }));
  // A group of its own: the tool's helpers end with it.
  const tool = spawn(
    process.execPath,
    [toolPath(), 'emulators:start', '--only', 'auth', '--project', PROJECT, '--non-interactive'],
    { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, CI: '1' } },
  );
  let printed = '';
  for (const output of [tool.stdout, tool.stderr]) output.on('data', (chunk: Buffer) => (printed += chunk));
  const endWithUs = (): void => signal(tool);
  process.once('exit', endWithUs);
  const stop = async (): Promise<void> => {
    process.off('exit', endWithUs);
    await endGroup(tool);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await until(
      'the authentication emulator is ready',
      async () => {
        if (isOver(tool)) throw new Error(`the emulator ended with ${tool.exitCode}:\n${printed}`);
        return (await fetch(`http://${host}/`).catch(() => null))?.ok;
      },
      READY_MS,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { host, projectId: PROJECT, apiKey: API_KEY, stop, ...conversation(host) };
}

function toolPath(): string {
  const manifest = createRequire(import.meta.url).resolve('firebase-tools/package.json');
  return join(dirname(manifest), 'lib/bin/firebase.js');
}

const isOver = (tool: ChildProcess): boolean => tool.exitCode !== null || tool.signalCode !== null;

function signal(tool: ChildProcess): void {
  if (tool.pid !== undefined && !isOver(tool)) process.kill(-tool.pid, 'SIGTERM');
}

async function endGroup(tool: ChildProcess): Promise<void> {
  if (isOver(tool)) return;
  const ended = new Promise((resolve) => tool.once('exit', resolve));
  signal(tool);
  await ended;
}

/** The parts of its answers that matter here. */
interface EmulatorAnswer {
  readonly localId?: string;
  readonly idToken?: string;
  readonly users?: readonly unknown[];
}

const userOf = ({ localId = '', idToken = '' }: EmulatorAnswer): EmulatorUser => ({ uid: localId, idToken });

/** What tests say to the emulator, over its own HTTP interface. */
function conversation(host: string): Omit<AuthEmulator, 'host' | 'projectId' | 'apiKey' | 'stop'> {
  const call = async (
    path: string,
    body: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<EmulatorAnswer> => {
    const answer = await fetch(`http://${host}/identitytoolkit.googleapis.com/v1/${path}?key=${API_KEY}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const json = (await answer.json()) as EmulatorAnswer;
    if (!answer.ok) throw new Error(`the emulator answered ${answer.status}: ${JSON.stringify(json)}`);
    return json;
  };
  const administer = (path: string, body: object) => call(`projects/${PROJECT}/${path}`, body, ADMINISTRATOR);
  const signUp = async (body: object): Promise<EmulatorUser> => {
    return userOf(await call('accounts:signUp', { ...body, returnSecureToken: true }));
  };
  const signInWith = async (persona: EmulatorPersona, current?: EmulatorUser): Promise<EmulatorUser> => {
    const { provider, email, emailVerified = provider !== 'facebook.com' } = persona;
    // In place of a provider's signed token the emulator takes its contents.
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
    signUpWithPassword: (email) => signUp({ email, password: 'a-long-password' }),
    disable: async (uid) => {
      await administer('accounts:update', { localId: uid, disableUser: true });
    },
    // Tokens tell seconds only: one of this very second is older than the next.
    revoke: async (uid) => {
      await administer('accounts:update', { localId: uid, validSince: String(Math.floor(Date.now() / 1000) + 1) });
    },
    exists: async (uid) => Boolean((await administer('accounts:lookup', { localId: [uid] })).users?.length),
  };
}
