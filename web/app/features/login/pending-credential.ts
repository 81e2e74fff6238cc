import type { LoginProvider } from '@clearframe/contract';
import { forgetStored, readStored, writeStored } from '../../telemetry/storage';
import { isLoginProvider } from './providers';

/**
 * A credential whose email address belongs to another provider's account. The window's session storage keeps it until
 * the next login, which links it (spec 1, section 4).
 */
export interface PendingCredential {
  readonly provider: LoginProvider;
  readonly email: string | null;
  /** In the client's own format. */
  readonly credential: string;
}

const KEY = 'clearframe:pending-credential';

export const storePending = (pending: PendingCredential): void => writeStored('sessionStorage', KEY, pending);

export function takePending(): PendingCredential | null {
  const stored = readStored('sessionStorage', KEY);
  forgetStored('sessionStorage', KEY);
  if (typeof stored !== 'object' || stored === null) return null;
  const { provider, email, credential } = stored as Record<string, unknown>;
  if (!isLoginProvider(provider) || typeof credential !== 'string') return null;
  return { provider, email: typeof email === 'string' ? email : null, credential };
}
