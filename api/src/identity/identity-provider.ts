import type { LoginProvider } from '@clearframe/contract';
import { notConfigured } from '../platform/errors/app-error.js';

export interface Identity {
  /** The provider's user id; the only key of an account. */
  readonly uid: string;
  /** Null when the provider gives none. */
  readonly email: string | null;
  /** An unverified address proves nothing. */
  readonly isEmailVerified: boolean;
  readonly source: LoginProvider;
}

export abstract class IdentityProvider {
  /**
   * @throws AppError `users.identity_rejected` for an invalid or expired token, one of another project, or one of an
   * unsupported sign-in provider; `service.unavailable` while the token can't be verified
   */
  abstract verify(idToken: string): Promise<Identity>;
  abstract delete(uid: string): Promise<void>;
}

export class UnconfiguredIdentity extends IdentityProvider {
  override async verify(): Promise<Identity> {
    throw notConfigured('sign-in');
  }

  override async delete(): Promise<void> {
    throw notConfigured('sign-in');
  }
}
