import { Injectable } from '@nestjs/common';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { SealConfig } from '../platform/config/seal.config.js';

/** Encrypts bodies that hold a live credential, so that a copy of the database does not. */
@Injectable()
export class MailSeal {
  constructor(private readonly config: SealConfig) {}

  /** @param messageId the message it belongs to; it can't be opened as another one's */
  seal(body: string, messageId: string): Promise<string> {
    return new CompactEncrypt(new TextEncoder().encode(body))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: messageId })
      .encrypt(this.config.key);
  }

  /** @throws when it was sealed for another message or with another key */
  async open(sealed: string, messageId: string): Promise<string> {
    const { plaintext, protectedHeader } = await compactDecrypt(sealed, this.config.key);
    if (protectedHeader.kid !== messageId) throw new Error('a sealed body of another message');
    return new TextDecoder().decode(plaintext);
  }
}
