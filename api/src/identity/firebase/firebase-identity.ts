import { randomUUID } from 'node:crypto';
import { inMilliseconds, type LoginProvider } from '@clearframe/contract';
import { withTimeout } from '@clearframe/runtime/concurrency';
import type { OnApplicationShutdown } from '@nestjs/common';
import { type App, applicationDefault, cert, deleteApp, initializeApp } from 'firebase-admin/app';
import { type DecodedIdToken, getAuth } from 'firebase-admin/auth';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { AppError, notConfigured } from '../../platform/errors/app-error.js';
import { type Identity, IdentityProvider } from '../identity-provider.js';
import type { FirebaseConfig } from './firebase.config.js';

const RETRY_SECONDS = 5;

const REJECTIONS: ReadonlySet<string> = new Set([
  'auth/argument-error',
  'auth/invalid-id-token',
  'auth/id-token-expired',
  'auth/id-token-revoked',
  'auth/user-disabled',
  'auth/user-not-found',
]);

const OUTAGES: ReadonlySet<string> = new Set([
  'app/network-error',
  'app/network-timeout',
  'app/unable-to-parse-response',
  'auth/internal-error',
]);

/** Only the message distinguishes a failed download of public keys from an invalid token. */
const KEY_DOWNLOAD_FAILED = /^(Error fetching public keys|Error while making request)/;

const INVALID_CREDENTIAL = 'app/invalid-credential';
const ACCOUNT_REJECTED = /invalid_grant|invalid_client|unauthorized_client/;

const providerUnavailable = (cause: unknown): AppError =>
  new AppError('service.unavailable', { retryAfterSeconds: RETRY_SECONDS, cause });

/** Returns errors that are neither rejections nor outages unchanged. */
function translateFirebaseError(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code !== 'string') return error;
  if (code === INVALID_CREDENTIAL) return ACCOUNT_REJECTED.test(String(message)) ? error : providerUnavailable(error);
  if (OUTAGES.has(code) || KEY_DOWNLOAD_FAILED.test(String(message))) return providerUnavailable(error);
  return REJECTIONS.has(code) ? new AppError('users.identity_rejected', { cause: error }) : error;
}

const isUnknownUser = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 'auth/user-not-found';

/** The library retries on status 503 for longer than a login should take. */
const TIMEOUT_MS = inMilliseconds.seconds(5);

/** Read by the library at every call; it has no other setting for the emulator. */
const EMULATOR_VARIABLE = 'FIREBASE_AUTH_EMULATOR_HOST';

/** Accepted sign-in providers by Firebase's names. Others, including `anonymous`, are rejected. */
const SOURCES: ReadonlyMap<string, LoginProvider> = new Map([
  ['google.com', 'google'],
  ['facebook.com', 'facebook'],
  ['apple.com', 'apple'],
]);

/** The only user of firebase-admin. */
export class FirebaseIdentity extends IdentityProvider implements OnApplicationShutdown {
  private readonly app: App;
  /** Otherwise only signatures are verified. */
  private readonly canQueryUsers: boolean;

  constructor(private readonly config: FirebaseConfig) {
    super();
    this.canQueryUsers = config.serviceAccount !== null || config.emulatorHost !== null;
    // Overrides an inherited variable: tokens of the emulator are not signed.
    if (config.emulatorHost) process.env[EMULATOR_VARIABLE] = config.emulatorHost;
    else delete process.env[EMULATOR_VARIABLE];
    const credential = credentialOf(config);
    this.app = initializeApp(
      { projectId: config.projectId, ...(credential ? { credential } : {}) },
      `clearframe-${randomUUID()}`,
    );
  }

  override async verify(idToken: string): Promise<Identity> {
    requireJwt(idToken);
    const token = await this.call((auth) => auth.verifyIdToken(idToken, this.canQueryUsers));
    const source = SOURCES.get(token.firebase.sign_in_provider);
    if (!source) {
      throw new AppError('users.identity_rejected', {
        description: 'Provider not found',
        internal: `signed in by ${token.firebase.sign_in_provider}`,
      });
    }
    return { uid: token.uid, source, ...emailOf(token) };
  }

  override async delete(uid: string): Promise<void> {
    if (!this.canQueryUsers) throw notConfigured('deleting users of Firebase');
    await this.call((auth) =>
      auth.deleteUser(uid).catch((error: unknown) => {
        if (!isUnknownUser(error)) throw error;
      }),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await deleteApp(this.app);
    if (this.config.emulatorHost) delete process.env[EMULATOR_VARIABLE];
  }

  private async call<Result>(request: (auth: ReturnType<typeof getAuth>) => Promise<Result>): Promise<Result> {
    try {
      return await withTimeout(request(getAuth(this.app)), TIMEOUT_MS, () => {
        throw providerUnavailable(new Error('Firebase timed out'));
      });
    } catch (error) {
      throw translateFirebaseError(error);
    }
  }
}

function credentialOf({ serviceAccount }: FirebaseConfig) {
  if (serviceAccount === null) return null;
  if (serviceAccount === 'file') return applicationDefault();
  const { project_id: projectId, client_email: clientEmail, private_key: privateKey } = serviceAccount;
  return cert({ projectId, clientEmail, privateKey });
}

/** The library throws other errors on malformed tokens. */
function requireJwt(idToken: string): void {
  try {
    decodeProtectedHeader(idToken);
    decodeJwt(idToken);
  } catch (cause) {
    throw new AppError('users.identity_rejected', { cause });
  }
}

const emailOf = ({ email, email_verified: isVerified }: DecodedIdToken): Pick<Identity, 'email' | 'isEmailVerified'> =>
  email
    ? { email: email.toLowerCase(), isEmailVerified: isVerified === true }
    : { email: null, isEmailVerified: false };
