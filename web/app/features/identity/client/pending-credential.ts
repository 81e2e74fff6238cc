import type { LoginProvider } from '@clearframe/contract';
import { LOGIN_PROVIDER_LIST } from './providers';

/**
 * A credential that could not be used, because its e-mail address is known under another provider. It is kept for this
 * window until the next login and then added to that account (spec 1, section 4).
 */
export interface PendingCredential {
  readonly provider: LoginProvider;
  readonly email: string | null;
  /** The adapter's own: what it needs to link. */
  readonly credential: string;
}

const KEY = 'clearframe:pending-credential';

/** Stands in where the browser keeps nothing. */
let inMemory: string | null = null;

export function keepPending(pending: PendingCredential): void {
  const text = JSON.stringify(pending);
  inMemory = text;
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    // The memory of this page has to do.
  }
}

/** What was left over, once. */
export function takePending(): PendingCredential | null {
  let text = inMemory;
  inMemory = null;
  try {
    text = sessionStorage.getItem(KEY) ?? text;
    sessionStorage.removeItem(KEY);
  } catch {
    // As above.
  }
  return text === null ? null : parse(text);
}

function parse(text: string): PendingCredential | null {
  const { provider, email, credential } = JSON.parse(text) as Record<string, unknown>;
  const known = LOGIN_PROVIDER_LIST.find((one) => one === provider);
  if (!known || typeof credential !== 'string') return null;
  return { provider: known, email: typeof email === 'string' ? email : null, credential };
}
