import type { LoginProvider } from '@clearframe/contract';
import type {
  FirebaseSettings,
  IdentitySettings,
  OneTapSettings,
} from '../../../../server/config/identity-settings.ts';
import type { PendingCredential } from './pending-credential';

/** A user authenticated by a provider. */
export interface SignedIn {
  /** What the backend takes for an answer. */
  readonly idToken: string;
  readonly email: string | null;
}

/** Facts about an account that exists under another provider. */
export interface LinkingFacts {
  readonly pending: PendingCredential;
  /** Providers of the account there is, the first one first; empty where the provider does not tell strangers. */
  readonly providers: readonly LoginProvider[];
}

/** A login failed; `code` may be missing in the failure table. */
export class IdentityFailure extends Error {
  override readonly name = 'IdentityFailure';
  readonly code: string;
  /** With `auth/account-exists-with-different-credential` only. */
  readonly linking: LinkingFacts | null;

  constructor(code: string, options: { readonly linking?: LinkingFacts | null; readonly cause?: unknown } = {}) {
    super(code, { cause: options.cause });
    this.code = code;
    this.linking = options.linking ?? null;
  }
}

/** What the browser asks of an identity provider. Everything rejects with {@link IdentityFailure}. */
export interface IdentityClient {
  /** Opens the provider's window. */
  signIn(provider: LoginProvider): Promise<SignedIn>;
  /** Leaves for the provider's page; the visitor comes back to `returnTo`, signed in. */
  redirect(provider: LoginProvider, returnTo: string): Promise<void>;
  /** What a redirect has brought back, or null. */
  redirectResult(): Promise<(SignedIn & { readonly provider: LoginProvider }) | null>;
  /** Links a pending credential to the user who has just signed in. */
  link(signedIn: SignedIn, pending: PendingCredential): Promise<SignedIn>;
  /** Signs in with an identity token of Google's own, from its prompt. */
  signInWithGoogle(credential: string, email: string): Promise<SignedIn>;
  signInAnonymously(): Promise<void>;
}

/** What the browser is told about how people sign in here. */
export type IdentityView = IdentitySettings;
export type FirebaseView = FirebaseSettings;
export type OneTapView = OneTapSettings;
