import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const ID_BYTES = 12;
const SECRET_BYTES = 24;

const token = (bytes: number): string => randomBytes(bytes).toString('hex');

export const newId = (kind: string): string => `sbx_${kind}_${token(ID_BYTES)}`;

export const newSecret = (): string => token(SECRET_BYTES);

/** Confirms an intent in the browser. */
export const newClientSecret = (intentId: string): string => `${intentId}_secret_${newSecret()}`;

export const intentIdIn = (clientSecret: string): string => clientSecret.split('_secret_', 1)[0] ?? '';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const hmac = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');

/** Constant time. */
export function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
