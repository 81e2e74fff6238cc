import type { LoginProvider } from '@clearframe/contract';
import { notConfigured } from '../../platform/errors/app-error.js';

/** What an identity provider vouches for. */
export interface Identity {
  /** The provider's name for somebody. The same name is the same account, however they signed in; nothing else is. */
  readonly uid: string;
  /** Where they say that they can be reached; null where the provider does not say. */
  readonly email: string | null;
  /** The provider has made sure that the address is theirs. Only then may it prove anything. */
  readonly isEmailVerified: boolean;
  readonly source: LoginProvider;
}

/** Somebody who knows who people are. */
export abstract class IdentityProvider {
  /**
   * @throws AppError `users.identity_rejected` for any token that is not genuine, ours and current, or not of somebody
   * who signed in by a provider we know; `service.unavailable` while that can't be told
   */
  abstract verify(idToken: string): Promise<Identity>;
  /**
   * Forgets an account that has been erased; one that is not known is forgotten already.
   * @throws when it could not be done now
   */
  abstract forget(uid: string): Promise<void>;
}

/** Stands in where no identity provider is configured. */
export class UnconfiguredIdentity extends IdentityProvider {
  override async verify(): Promise<Identity> {
    throw notConfigured('sign-in');
  }

  override async forget(): Promise<void> {
    throw notConfigured('sign-in');
  }
}
