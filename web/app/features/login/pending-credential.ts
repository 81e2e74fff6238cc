import type { LoginProvider } from '@clearframe/contract';
import { LOGIN_PROVIDER_LIST } from './providers';

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

/** Used when session storage is disabled. */
let inMemory: string | null = null;

export function storePending(pending: PendingCredential): void {
  const text = JSON.stringify(pending);
  inMemory = text;
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    // Session storage is disabled.
  }
}

export function takePending(): PendingCredential | null {
  let text = inMemory;
  inMemory = null;
  try {
    text = sessionStorage.getItem(KEY) ?? text;
    sessionStorage.removeItem(KEY);
  } catch {
    // Session storage is disabled.
  }
  return text === null ? null : parse(text);
}

function parse(text: string): PendingCredential | null {
  const { provider, email, credential } = JSON.parse(text) as Record<string, unknown>;
  const known = LOGIN_PROVIDER_LIST.find((one) => one === provider);
  if (!known || typeof credential !== 'string') return null;
  return { provider: known, email: typeof email === 'string' ? email : null, credential };
}
