import type { ErrorCode } from '@clearframe/contract';
import { AppError } from '../platform/errors/app-error.js';
import { mayRecover } from '../platform/outbound/outbound-http.js';
import type { Attempt } from '../platform/schedule/work.js';

/**
 * Why a file could not be fetched or sent, once and for all.
 * @throws the error itself while another attempt may succeed, and one of our side
 */
export function finalCodeOf(error: unknown, { number }: Attempt, maxAttempts: number): ErrorCode {
  if (!(error instanceof AppError) || error.status >= 500) throw error;
  if (mayRecover(error) && number < maxAttempts) throw error;
  return error.code;
}
