import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Prefix of an id, after the sandbox's. */
type Kind = 'cus' | 'seti' | 'pi' | 'pm' | 'sub' | 'ch' | 'txn' | 'evt';

const ID_BYTES = 12;
const SECRET_BYTES = 24;

const token = (bytes: number): string => randomBytes(bytes).toString('hex');

export const newId = (kind: Kind): string => `sbx_${kind}_${token(ID_BYTES)}`;

/** Confirms an intent in the browser. */
export const newClientSecret = (intentId: string): string => `${intentId}_secret_${token(SECRET_BYTES)}`;

export const newSecret = (): string => token(SECRET_BYTES);

/** The part before `_secret_`. */
export const intentIdIn = (clientSecret: string): string => clientSecret.split('_secret_', 1)[0] ?? '';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Constant time. */
export function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
