import { AppError } from '../../platform/errors/app-error.js';

const RETRY_SECONDS = 5;

/** What is wrong with the token itself, or with whom it names. */
const REJECTIONS: ReadonlySet<string> = new Set([
  'auth/argument-error',
  'auth/invalid-id-token',
  'auth/id-token-expired',
  'auth/id-token-revoked',
  'auth/user-disabled',
  'auth/user-not-found',
]);

/** Google could not be asked, or answered nonsense. */
const OUTAGES: ReadonlySet<string> = new Set([
  'app/network-error',
  'app/network-timeout',
  'app/unable-to-parse-response',
  'auth/internal-error',
]);

/** The library tells keys that it could not fetch from a token that is bad by the message alone. */
const KEYS_NOT_FETCHED = /^(Error fetching public keys|Error while making request)/;

/**
 * Google gave us no token of our own to ask with. That is an outage too, unless it says that it does not know our service
 * account any more: then somebody has to see to it.
 */
const NO_GRANT = 'app/invalid-credential';
const ACCOUNT_REFUSED = /invalid_grant|invalid_client|unauthorized_client/;

/** The provider can't be asked now. That is no verdict on the token. */
export const providerAway = (cause: unknown): AppError =>
  new AppError('service.unavailable', { retryAfterSeconds: RETRY_SECONDS, cause });

/** What the library threw, in our words. What is neither the token's fault nor an outage is ours, and stays as it is. */
export function translateFirebaseError(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code !== 'string') return error;
  if (code === NO_GRANT) return ACCOUNT_REFUSED.test(String(message)) ? error : providerAway(error);
  if (OUTAGES.has(code) || KEYS_NOT_FETCHED.test(String(message))) return providerAway(error);
  return REJECTIONS.has(code) ? new AppError('users.identity_rejected', { cause: error }) : error;
}

/** Whether the library says that there is no such user. */
export const isUnknownUser = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'auth/user-not-found';
