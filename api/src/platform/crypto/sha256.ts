import { createHash } from 'node:crypto';

/** Of random secrets, which are stored as their hash: no salt and no slow hash is needed. */
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

export const sha256Hex = (text: string): string => sha256(text).toString('hex');
