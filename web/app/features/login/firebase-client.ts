import type { LoginProvider } from '@clearframe/contract';
import { FirebaseError, getApps, initializeApp } from '@firebase/app';
import {
  type Auth,
  type AuthError,
  browserLocalPersistence,
  browserPopupRedirectResolver,
  connectAuthEmulator,
  FacebookAuthProvider,
  fetchSignInMethodsForEmail,
  GoogleAuthProvider,
  getAuth,
  getRedirectResult,
  indexedDBLocalPersistence,
  initializeAuth,
  linkWithCredential,
  linkWithPopup,
  OAuthCredential,
  OAuthProvider,
  signInAnonymously,
  signInWithCredential,
  signInWithPopup,
  signInWithRedirect,
  type User,
  type UserCredential,
} from '@firebase/auth';
import {
  type FirebaseView,
  type IdentityClient,
  IdentityFailure,
  type LinkingState,
  type SignedIn,
} from './identity-client';
import type { PendingCredential } from './pending-credential';

const PROVIDER_IDS = { google: 'google.com', facebook: 'facebook.com', apple: 'apple.com' } as const;

const providerOfId = (id: string | null | undefined): LoginProvider | undefined =>
  (Object.keys(PROVIDER_IDS) as LoginProvider[]).find((name) => PROVIDER_IDS[name] === id);

function authProviderFor(provider: LoginProvider) {
  if (provider === 'google') return new GoogleAuthProvider();
  if (provider === 'apple') return new OAuthProvider(PROVIDER_IDS.apple);
  const facebook = new FacebookAuthProvider();
  facebook.addScope('email');
  return facebook;
}

function openAuth({ apiKey, authDomain, projectId, appId, emulatorUrl }: FirebaseView): Auth {
  const [running] = getApps();
  if (running) return getAuth(running);
  const app = initializeApp({ apiKey, authDomain, projectId, ...(appId ? { appId } : {}) });
  const auth = initializeAuth(app, {
    persistence: [indexedDBLocalPersistence, browserLocalPersistence],
    popupRedirectResolver: browserPopupRedirectResolver,
  });
  if (emulatorUrl) connectAuthEmulator(auth, emulatorUrl, { disableWarnings: true });
  return auth;
}

export function createFirebaseClient(view: FirebaseView): IdentityClient {
  const auth = openAuth(view);
  return {
    signIn: (provider) => mapErrors(auth, provider, async () => signedInOf((await signInByPopup(auth, provider)).user)),

    redirect: (provider) => mapErrors(auth, provider, () => signInWithRedirect(auth, authProviderFor(provider))),

    async redirectResult() {
      const result = await mapErrors(auth, null, () => getRedirectResult(auth));
      const provider = providerOfId(result?.providerId);
      return result && provider ? { ...(await signedInOf(result.user)), provider } : null;
    },

    link: (_signedIn, pending) =>
      mapErrors(auth, pending.provider, async () => {
        const { currentUser } = auth;
        const credential = OAuthCredential.fromJSON(pending.credential);
        if (!currentUser || !credential) throw new IdentityFailure('auth/linking-error');
        return signedInOf((await linkWithCredential(currentUser, credential)).user);
      }),

    signInWithGoogle: (credential) =>
      mapErrors(auth, 'google', async () =>
        signedInOf((await signInWithCredential(auth, GoogleAuthProvider.credential(credential))).user),
      ),

    signInAnonymously: () =>
      mapErrors(auth, null, async () => {
        await signInAnonymously(auth);
      }),
  };
}

/** Upgrades an anonymous user, or logs in to an existing account. */
async function signInByPopup(auth: Auth, provider: LoginProvider): Promise<UserCredential> {
  await auth.authStateReady();
  const guest = auth.currentUser?.isAnonymous ? auth.currentUser : null;
  if (!guest) return signInWithPopup(auth, authProviderFor(provider));
  try {
    return await linkWithPopup(guest, authProviderFor(provider));
  } catch (error) {
    const credential = isAuthError(error) ? credentialIn(error) : null;
    if (!credential || !isOneOf(error, 'auth/credential-already-in-use', 'auth/email-already-in-use')) throw error;
    return signInWithCredential(auth, credential);
  }
}

const signedInOf = async (user: User): Promise<SignedIn> => ({
  // A token from before lacks the linked provider.
  idToken: await user.getIdToken(true),
  email: user.email,
});

const isAuthError = (error: unknown): error is AuthError => error instanceof FirebaseError && 'customData' in error;

const isOneOf = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof FirebaseError && codes.includes(error.code);

/** The error holds the credential of whichever provider it was. */
const credentialIn = (error: AuthError): OAuthCredential | null => OAuthProvider.credentialFromError(error);

async function mapErrors<Value>(
  auth: Auth,
  provider: LoginProvider | null,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FirebaseError)) throw error;
    const isLinking = error.code === 'auth/account-exists-with-different-credential';
    const linking = isLinking && isAuthError(error) ? await linkingStateOf(auth, error, provider) : null;
    throw new IdentityFailure(error.code, { linking, cause: error });
  }
}

async function linkingStateOf(
  auth: Auth,
  error: AuthError,
  attempted: LoginProvider | null,
): Promise<LinkingState | null> {
  const credential = credentialIn(error);
  const email = error.customData?.email ?? null;
  const provider = attempted ?? providerOfId(credential?.providerId);
  if (!credential || !provider) return null;
  const pending: PendingCredential = { provider, email, credential: JSON.stringify(credential.toJSON()) };
  return { pending, providers: email ? await providersOf(auth, email) : [] };
}

/** Empty under Firebase's email enumeration protection. */
async function providersOf(auth: Auth, email: string): Promise<LoginProvider[]> {
  const methods = await fetchSignInMethodsForEmail(auth, email).catch(() => []);
  return methods.map(providerOfId).filter((provider) => provider !== undefined);
}
