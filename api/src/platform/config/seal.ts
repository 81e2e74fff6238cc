import { Injectable } from '@nestjs/common';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { SealConfig } from './seal.config.js';

const ALGORITHM = 'dir';
const ENCRYPTION = 'A256GCM';

/** Encrypts stored texts that contain credentials (RFC 7516): responses under an idempotency key and mail bodies. */
@Injectable()
export class Seal {
  constructor(private readonly config: SealConfig) {}

  /** @param context for instance a row's id; the text can only be decrypted in the same context */
  seal(text: string, context: string): Promise<string> {
    return new CompactEncrypt(new TextEncoder().encode(text))
      .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION, kid: context })
      .encrypt(this.config.key);
  }

  /** @throws for another context, key or format */
  async open(sealed: string, context: string): Promise<string> {
    const { plaintext, protectedHeader } = await compactDecrypt(sealed, this.config.key, {
      keyManagementAlgorithms: [ALGORITHM],
      contentEncryptionAlgorithms: [ENCRYPTION],
    });
    if (protectedHeader.kid !== context) throw new Error('sealed in another context');
    return new TextDecoder().decode(plaintext);
  }
}
