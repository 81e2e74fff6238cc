import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SealConfig } from '../config/seal.config.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Closes and opens remembered answers. They hold access tokens, keys that are shown once and secrets of payments: a copy
 * of the database must not be a bunch of keys.
 */
@Injectable()
export class AnswerSeal {
  constructor(private readonly config: SealConfig) {}

  /** @param place what the answer belongs to; it opens nowhere else */
  close(answer: unknown, place: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.config.key, nonce).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(JSON.stringify(answer ?? null)), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** @throws when it was sealed elsewhere or with another key */
  open(sealed: Buffer, place: string): unknown {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv(CIPHER, this.config.key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(place))
      .setAuthTag(tag);
    return JSON.parse(
      Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(),
    );
  }
}
