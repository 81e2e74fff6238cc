import { Injectable } from '@nestjs/common';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { SealConfig } from '../../config/seal.config.js';

const ALGORITHM = 'dir';
const ENCRYPTION = 'A256GCM';

/**
 * Encrypts stored answers (RFC 7516). They hold access tokens, keys that are shown once and client secrets of payments:
 * a copy of the database must not contain credentials.
 */
@Injectable()
export class AnswerSeal {
  constructor(private readonly config: SealConfig) {}

  /** @param place what the answer belongs to; it can't be opened elsewhere */
  async close(answer: unknown, place: string): Promise<Buffer> {
    const sealed = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(answer ?? null)))
      .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION, kid: place })
      .encrypt(this.config.key);
    return Buffer.from(sealed);
  }

  /** @throws when it was sealed for another place, with another key or in another format */
  async open(sealed: Buffer, place: string): Promise<unknown> {
    const { plaintext, protectedHeader } = await compactDecrypt(sealed, this.config.key, {
      keyManagementAlgorithms: [ALGORITHM],
      contentEncryptionAlgorithms: [ENCRYPTION],
    });
    if (protectedHeader.kid !== place) throw new Error('a sealed answer of another request');
    return JSON.parse(new TextDecoder().decode(plaintext));
  }
}
