import { randomInt } from 'node:crypto';
import { sha256Hex } from '../platform/config/seal.js';

/** Crockford's alphabet, without letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** For instance `GIFT-7K3Q-…`. 80 random bits, so the hash needs no salt. */
export function newCode(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return ['GIFT', ...Array.from({ length: GROUPS }, group)].join('-');
}

/** Ignores case, dashes and spaces; reads O as 0, I and L as 1. */
const normalized = (code: string): string =>
  code.toUpperCase().replace(/[\s-]/g, '').replace(/^GIFT/, '').replaceAll('O', '0').replace(/[IL]/g, '1');

export const hashOf = (code: string): string => sha256Hex(normalized(code));
