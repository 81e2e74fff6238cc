import { AppError } from '../../platform/errors/app-error.js';

const RETRY_SECONDS = 5;

/** Codes for an invalid token or user. */
const REJECTIONS: ReadonlySet<string> = new Set([
  'auth/argument-error',
  'auth/invalid-id-token',
  'auth/id-token-expired',
  'auth/id-token-revoked',
  'auth/user-disabled',
  'auth/user-not-found',
]);

/** Codes for an unavailable service or an invalid response. */
const OUTAGES: ReadonlySet<string> = new Set([
  'app/network-error',
  'app/network-timeout',
  'app/unable-to-parse-response',
  'auth/internal-error',
]);

/** Only the message distinguishes a failed download of public keys from an invalid token. */
const KEY_DOWNLOAD_FAILED = /^(Error fetching public keys|Error while making request)/;

/**
 * The service account got no access token. An outage as well, unless Google rejects the account, which an operator has to
 * fix.
 */
const INVALID_CREDENTIAL = 'app/invalid-credential';
const ACCOUNT_REJECTED = /invalid_grant|invalid_client|unauthorized_client/;

/** The provider is unavailable; the token may be valid. */
export const providerUnavailable = (cause: unknown): AppError =>
  new AppError('service.unavailable', { retryAfterSeconds: RETRY_SECONDS, cause });

/** Translates an error of the library. Errors that are neither rejections nor outages are returned unchanged. */
export function translateFirebaseError(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code !== 'string') return error;
  if (code === INVALID_CREDENTIAL) return ACCOUNT_REJECTED.test(String(message)) ? error : providerUnavailable(error);
  if (OUTAGES.has(code) || KEY_DOWNLOAD_FAILED.test(String(message))) return providerUnavailable(error);
  return REJECTIONS.has(code) ? new AppError('users.identity_rejected', { cause: error }) : error;
}

/** Whether the error means that the user does not exist. */
export const isUnknownUser = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'auth/user-not-found';
