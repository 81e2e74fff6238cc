import { randomUUID } from 'node:crypto';
import { inMilliseconds, type LoginProvider } from '@clearframe/contract';
import type { OnApplicationShutdown } from '@nestjs/common';
import { type App, applicationDefault, cert, deleteApp, initializeApp } from 'firebase-admin/app';
import { type DecodedIdToken, getAuth } from 'firebase-admin/auth';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { AppError, notConfigured } from '../../platform/errors/app-error.js';
import { type Identity, IdentityProvider } from '../provider/identity-provider.js';
import type { FirebaseConfig } from './firebase.config.js';
import { isUnknownUser, providerAway, translateFirebaseError } from './firebase-errors.js';

/** The library tries again for as long as Google says 503; nobody waits that long at a login. */
const PATIENCE_MS = inMilliseconds.seconds(5);

/** The library's own switch. It reads the process's environment at every call and knows no other way. */
const EMULATOR_VARIABLE = 'FIREBASE_AUTH_EMULATOR_HOST';

/** Firebase's names of the providers one can sign in with here. All others, anonymous too, make nobody a member. */
const SOURCES: ReadonlyMap<string, LoginProvider> = new Map([
  ['google.com', 'google'],
  ['facebook.com', 'facebook'],
  ['apple.com', 'apple'],
]);

/** People as Firebase Authentication knows them. The only place that knows firebase-admin. */
export class FirebaseIdentity extends IdentityProvider implements OnApplicationShutdown {
  private readonly app: App;
  /** Whether Firebase may be asked about somebody, beyond checking signatures. */
  private readonly mayAsk: boolean;

  constructor(private readonly config: FirebaseConfig) {
    super();
    this.mayAsk = config.serviceAccount !== null || config.emulatorHost !== null;
    // What the settings say holds, not what the process may have inherited: the emulator's tokens are not signed.
    if (config.emulatorHost) process.env[EMULATOR_VARIABLE] = config.emulatorHost;
    else delete process.env[EMULATOR_VARIABLE];
    const credential = credentialOf(config);
    this.app = initializeApp(
      { projectId: config.projectId, ...(credential ? { credential } : {}) },
      `clearframe-${randomUUID()}`,
    );
  }

  override async verify(idToken: string): Promise<Identity> {
    refuseGarbage(idToken);
    const token = await this.ask((auth) => auth.verifyIdToken(idToken, this.mayAsk));
    const source = SOURCES.get(token.firebase.sign_in_provider);
    if (!source) {
      throw new AppError('users.identity_rejected', {
        description: 'Provider not found',
        internal: `signed in by ${token.firebase.sign_in_provider}`,
      });
    }
    return { uid: token.uid, source, ...addressOf(token) };
  }

  override async forget(uid: string): Promise<void> {
    if (!this.mayAsk) throw notConfigured('deleting users of Firebase');
    await this.ask((auth) =>
      auth.deleteUser(uid).catch((error: unknown) => {
        if (!isUnknownUser(error)) throw error;
      }),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await deleteApp(this.app);
    if (this.config.emulatorHost) delete process.env[EMULATOR_VARIABLE];
  }

  private async ask<Answer>(question: (auth: ReturnType<typeof getAuth>) => Promise<Answer>): Promise<Answer> {
    const { promise: deadline, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(providerAway(new Error('Firebase took too long'))), PATIENCE_MS);
    try {
      return await Promise.race([question(getAuth(this.app)), deadline]);
    } catch (error) {
      throw translateFirebaseError(error);
    } finally {
      clearTimeout(timer);
    }
  }
}

function credentialOf({ serviceAccount }: FirebaseConfig) {
  if (serviceAccount === null) return null;
  if (serviceAccount === 'file') return applicationDefault();
  const { project_id: projectId, client_email: clientEmail, private_key: privateKey } = serviceAccount;
  return cert({ projectId, clientEmail, privateKey });
}

/** The library fails in ways of its own on what is no token at all. */
function refuseGarbage(idToken: string): void {
  try {
    decodeProtectedHeader(idToken);
    decodeJwt(idToken);
  } catch (cause) {
    throw new AppError('users.identity_rejected', { cause });
  }
}

const addressOf = ({
  email,
  email_verified: isVerified,
}: DecodedIdToken): Pick<Identity, 'email' | 'isEmailVerified'> =>
  email
    ? { email: email.toLowerCase(), isEmailVerified: isVerified === true }
    : { email: null, isEmailVerified: false };
