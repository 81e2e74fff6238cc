import { type IdentityClient, IdentityFailure } from './identity-client';
import type { IdentityView } from './identity-view';

/** Fetches what talks to the provider. */
export async function loadIdentityClient(view: IdentityView): Promise<IdentityClient> {
  if (view.provider === 'sandbox') return (await import('./sandbox-client')).createSandboxClient();
  if (view.firebase) return (await import('./firebase-client')).createFirebaseClient(view.firebase);
  throw new IdentityFailure('auth/operation-not-allowed');
}
