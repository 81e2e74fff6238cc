import { createHash, hkdfSync } from 'node:crypto';
import { type Environment, readEnvironment, secret } from '@clearframe/runtime/config';
import { Injectable } from '@nestjs/common';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { z } from 'zod';

const schema = z.object({ CLEARFRAME_JWT_SECRET: secret() });
const KEY_BYTES = 32;

export class SealConfig {
  private constructor(readonly key: Uint8Array) {}

  static fromEnvironment(environment: Environment): SealConfig {
    const { CLEARFRAME_JWT_SECRET } = readEnvironment(schema, environment);
    return new SealConfig(new Uint8Array(hkdfSync('sha256', CLEARFRAME_JWT_SECRET, '', 'clearframe seal', KEY_BYTES)));
  }
}

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

/** Hash under which random secrets are stored; they need neither a salt nor a slow hash. */
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

export const sha256Hex = (text: string): string => sha256(text).toString('hex');
