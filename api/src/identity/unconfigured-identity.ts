import { notConfigured } from '../platform/errors/app-error.js';
import { type Identity, IdentityProvider } from './identity-provider.js';

/** Stands in where no identity provider is configured. */
export class UnconfiguredIdentity extends IdentityProvider {
  override async verify(): Promise<Identity> {
    throw notConfigured('sign-in');
  }

  override async forget(): Promise<void> {
    throw notConfigured('sign-in');
  }
}
