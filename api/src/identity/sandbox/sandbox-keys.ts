import { Injectable } from '@nestjs/common';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { SandboxKeysRepository, type StoredKeyPair } from './sandbox-keys.repository.js';

export const ALGORITHM = 'RS256';

export interface KeyPair {
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}

/** Signs tokens; stored in PostgreSQL and shared by all processes. */
@Injectable()
export class SandboxKeys {
  private loading: Promise<KeyPair> | undefined;

  constructor(private readonly repository: SandboxKeysRepository) {}

  keys(): Promise<KeyPair> {
    this.loading ??= this.load().catch((error: unknown) => {
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }

  private async load(): Promise<KeyPair> {
    const { privateJwk, publicJwk } = (await this.repository.find()) ?? (await this.create());
    return { privateKey: await importKey(privateJwk), publicKey: await importKey(publicJwk) };
  }

  /** Of several processes that start concurrently, the first stores its key. */
  private async create(): Promise<StoredKeyPair> {
    const pair = await generateKeyPair(ALGORITHM, { extractable: true });
    await this.repository.insert({
      privateJwk: await exportJWK(pair.privateKey),
      publicJwk: await exportJWK(pair.publicKey),
    });
    const stored = await this.repository.find();
    if (!stored) throw new Error('the sandbox has no key');
    return stored;
  }
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, ALGORITHM);
  if (key instanceof Uint8Array) throw new Error('the key of the sandbox is not an RSA key');
  return key;
}
