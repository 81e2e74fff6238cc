import { type SignedClaims, type Verification, verifyQuery } from '@clearframe/runtime/storage';
import { AppError } from '../errors/app-error.js';

export interface Refusals {
  readonly invalid: 'uploads.url_invalid' | 'media.url_invalid';
  readonly expired: 'uploads.url_expired' | 'uploads.expired' | 'media.url_expired';
}

/**
 * Parameters of a URL with a valid, unexpired signature.
 * @throws AppError
 */
export function requireSignedQuery(
  secret: string,
  query: Readonly<Record<string, unknown>>,
  check: Verification & Refusals,
): SignedClaims {
  const claims = verifyQuery(secret, query, check);
  if (claims === 'invalid' || claims === 'expired') throw new AppError(check[claims]);
  return claims;
}
