import { randomBytes } from 'node:crypto';
import { sha256 } from '../platform/config/sha256.js';

/** 256 bits. */
const SECRET_BYTES = 32;
/** Lets scanners of published code recognize a leaked key. */
const MARK = 'cfk_';
const SHOWN_LENGTH = MARK.length + 8;
const KEY = /^cfk_[\w-]{43}$/;

export const newKey = (): string => MARK + randomBytes(SECRET_BYTES).toString('base64url');

/** The part of a key that may be shown: too short to help guessing the rest. */
export const prefixOf = (key: string): string => key.slice(0, SHOWN_LENGTH);

export const isKeyShaped = (key: string): boolean => KEY.test(key);

/** Keys are looked up by hash: no secret is compared, so that response times reveal nothing about keys. */
export const hashOf = (key: string): Buffer => sha256(key);
