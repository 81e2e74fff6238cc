import type { LoginProvider } from '@clearframe/contract';

/** What an identity provider vouches for. */
export interface Identity {
  readonly uid: string;
  /** Null where the provider does not give it, or has not verified it. */
  readonly email: string | null;
  readonly source: LoginProvider;
}

/** Somebody who knows who people are. */
export abstract class IdentityProvider {
  /** @throws AppError `users.identity_rejected` for any token that is not genuine, ours and current */
  abstract verify(idToken: string): Promise<Identity>;
  /** Forgets an account that is being erased. */
  abstract forget(uid: string): Promise<void>;
}
