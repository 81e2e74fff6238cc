import { createHmac, timingSafeEqual } from 'node:crypto';

export type SignedClaims = Readonly<Record<string, string>>;

const canonical = (method: string, key: string, claims: SignedClaims): string =>
  JSON.stringify([method, key, Object.entries(claims).sort(([a], [b]) => (a < b ? -1 : 1))]);

const signatureOf = (secret: string, method: string, key: string, claims: SignedClaims): string =>
  createHmac('sha256', secret)
    .update(canonical(method, key, claims))
    .digest('base64url');

/** Query that allows one method on one key until the claim `expires` (seconds since 1970). */
export function signQuery(secret: string, method: string, key: string, claims: SignedClaims): URLSearchParams {
  return new URLSearchParams({ ...claims, signature: signatureOf(secret, method, key, claims) });
}

export interface Verification {
  readonly method: string;
  readonly key: string;
  /** Signed claims; other parameters are ignored. */
  readonly names: readonly string[];
}

/** The claims of a query made by {@link signQuery}; compares signatures in constant time. */
export function verifyQuery(
  secret: string,
  query: Readonly<Record<string, unknown>>,
  { method, key, names }: Verification,
): SignedClaims | 'invalid' | 'expired' {
  const claims: Record<string, string> = {};
  for (const name of names) {
    const value = query[name];
    if (typeof value !== 'string') return 'invalid';
    claims[name] = value;
  }
  const given = Buffer.from(typeof query.signature === 'string' ? query.signature : '');
  const expected = Buffer.from(signatureOf(secret, method, key, claims));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'invalid';
  return Number(claims.expires) * 1000 > Date.now() ? claims : 'expired';
}
