import type { LoginProvider } from '@clearframe/contract';
import type { FirebaseSettings, IdentitySettings, OneTapSettings } from '../../../server/config/settings.ts';
import type { PendingCredential } from './pending-credential';

export interface SignedIn {
  readonly idToken: string;
  readonly email: string | null;
}

/** An account that exists under another provider. */
export interface LinkingState {
  readonly pending: PendingCredential;
  /** Oldest first; empty when the provider doesn't disclose them. */
  readonly providers: readonly LoginProvider[];
}

/** `code` may be missing in the failure table. */
export class IdentityFailure extends Error {
  override readonly name = 'IdentityFailure';
  readonly code: string;
  readonly linking: LinkingState | null;

  constructor(code: string, options: { readonly linking?: LinkingState | null; readonly cause?: unknown } = {}) {
    super(code, { cause: options.cause });
    this.code = code;
    this.linking = options.linking ?? null;
  }
}

/** An identity provider in the browser. All methods reject with {@link IdentityFailure}. */
export interface IdentityClient {
  signIn(provider: LoginProvider): Promise<SignedIn>;
  redirect(provider: LoginProvider, returnTo: string): Promise<void>;
  redirectResult(): Promise<(SignedIn & { readonly provider: LoginProvider }) | null>;
  link(signedIn: SignedIn, pending: PendingCredential): Promise<SignedIn>;
  /** Logs in with the token of Google One Tap. */
  signInWithGoogle(credential: string, email: string): Promise<SignedIn>;
  signInAnonymously(): Promise<void>;
}

export type IdentityView = IdentitySettings;
export type FirebaseView = FirebaseSettings;
export type OneTapView = OneTapSettings;
