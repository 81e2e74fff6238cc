import { createHash } from 'node:crypto';

/** Hash under which random secrets are stored; they need neither a salt nor a slow hash. */
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

export const sha256Hex = (text: string): string => sha256(text).toString('hex');
