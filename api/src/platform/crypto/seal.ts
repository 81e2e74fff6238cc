import { Injectable } from '@nestjs/common';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { SealConfig } from '../config/seal.config.js';

const ALGORITHM = 'dir';
const ENCRYPTION = 'A256GCM';

/**
 * Encrypts stored texts that contain credentials (RFC 7516): responses under an idempotency key and bodies of mails. A
 * copy of the database must not contain credentials.
 */
@Injectable()
export class Seal {
  constructor(private readonly config: SealConfig) {}

  /** @param context what the text belongs to, for instance a row's id; it can't be opened in another context */
  seal(text: string, context: string): Promise<string> {
    return new CompactEncrypt(new TextEncoder().encode(text))
      .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION, kid: context })
      .encrypt(this.config.key);
  }

  /** @throws when it was sealed in another context, with another key or in another format */
  async open(sealed: string, context: string): Promise<string> {
    const { plaintext, protectedHeader } = await compactDecrypt(sealed, this.config.key, {
      keyManagementAlgorithms: [ALGORITHM],
      contentEncryptionAlgorithms: [ENCRYPTION],
    });
    if (protectedHeader.kid !== context) throw new Error('sealed in another context');
    return new TextDecoder().decode(plaintext);
  }
}
