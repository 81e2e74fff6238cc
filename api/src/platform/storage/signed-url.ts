import { type Environment, readEnvironment, secret } from '@clearframe/runtime/config';
import { type SignedClaims, type Verification, verifyQuery } from '@clearframe/runtime/storage';
import { z } from 'zod';
import { AppError } from '../errors/app-error.js';

const schema = z.object({ CLEARFRAME_SIGNING_SECRET: secret() });

/** Signs URLs of the disk store. */
export class SigningConfig {
  private constructor(readonly secret: string) {}

  static fromEnvironment(environment: Environment): SigningConfig {
    return new SigningConfig(readEnvironment(schema, environment).CLEARFRAME_SIGNING_SECRET);
  }
}

interface Refusals {
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
