import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../platform/errors/app-error.js';

/** Claims of a signed address: they travel in its query and are worth nothing without the signature. */
export type SignedClaims = Readonly<Record<string, string>>;

const canonical = (method: string, key: string, claims: SignedClaims): string =>
  JSON.stringify([method, key, Object.entries(claims).sort(([a], [b]) => (a < b ? -1 : 1))]);

const signatureOf = (secret: string, method: string, key: string, claims: SignedClaims): string =>
  createHmac('sha256', secret)
    .update(canonical(method, key, claims))
    .digest('base64url');

/** The query of an address that lets one method reach one key until `expires` (seconds since 1970). */
export function signQuery(secret: string, method: string, key: string, claims: SignedClaims): URLSearchParams {
  return new URLSearchParams({ ...claims, signature: signatureOf(secret, method, key, claims) });
}

/** What an address's query is checked against, and the codes it is refused with. */
export interface Verification {
  readonly method: string;
  readonly key: string;
  /** Claims that are signed; anything else in the query is the client's own. */
  readonly names: readonly string[];
  readonly invalid: 'uploads.url_invalid' | 'media.url_invalid';
  readonly expired: 'uploads.url_expired' | 'media.url_expired';
}

/** The claims of a genuine address that has not expired. */
export function verifyQuery(
  secret: string,
  query: Readonly<Record<string, unknown>>,
  check: Verification,
): SignedClaims {
  const claims: Record<string, string> = {};
  for (const name of check.names) {
    const value = query[name];
    if (typeof value !== 'string') throw new AppError(check.invalid);
    claims[name] = value;
  }
  const given = Buffer.from(typeof query.signature === 'string' ? query.signature : '');
  const expected = Buffer.from(signatureOf(secret, check.method, check.key, claims));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new AppError(check.invalid);
  if (Number(claims.expires) * 1000 <= Date.now()) throw new AppError(check.expired);
  return claims;
}
