import { AppError } from '../../platform/errors/app-error.js';

const RETRY_SECONDS = 5;

const REJECTIONS: ReadonlySet<string> = new Set([
  'auth/argument-error',
  'auth/invalid-id-token',
  'auth/id-token-expired',
  'auth/id-token-revoked',
  'auth/user-disabled',
  'auth/user-not-found',
]);

const OUTAGES: ReadonlySet<string> = new Set([
  'app/network-error',
  'app/network-timeout',
  'app/unable-to-parse-response',
  'auth/internal-error',
]);

/** Only the message distinguishes a failed download of public keys from an invalid token. */
const KEY_DOWNLOAD_FAILED = /^(Error fetching public keys|Error while making request)/;

const INVALID_CREDENTIAL = 'app/invalid-credential';
const ACCOUNT_REJECTED = /invalid_grant|invalid_client|unauthorized_client/;

export const providerUnavailable = (cause: unknown): AppError =>
  new AppError('service.unavailable', { retryAfterSeconds: RETRY_SECONDS, cause });

/** Returns errors that are neither rejections nor outages unchanged. */
export function translateFirebaseError(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code !== 'string') return error;
  if (code === INVALID_CREDENTIAL) return ACCOUNT_REJECTED.test(String(message)) ? error : providerUnavailable(error);
  if (OUTAGES.has(code) || KEY_DOWNLOAD_FAILED.test(String(message))) return providerUnavailable(error);
  return REJECTIONS.has(code) ? new AppError('users.identity_rejected', { cause: error }) : error;
}

export const isUnknownUser = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'auth/user-not-found';
