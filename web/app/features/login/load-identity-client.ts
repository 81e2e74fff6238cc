import { type IdentityClient, IdentityFailure, type IdentityView } from './identity-client';

export async function loadIdentityClient(view: IdentityView): Promise<IdentityClient> {
  if (view.provider === 'sandbox') return (await import('./sandbox-client')).createSandboxClient();
  if (view.firebase) return (await import('./firebase-client')).createFirebaseClient(view.firebase);
  throw new IdentityFailure('auth/operation-not-allowed');
}
