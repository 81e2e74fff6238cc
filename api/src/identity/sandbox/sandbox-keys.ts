import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { DataSource } from 'typeorm';

export const ALGORITHM = 'RS256';

export interface KeyPair {
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}

interface StoredKeys {
  readonly private_jwk: JWK;
  readonly public_jwk: JWK;
}

/** The key pair of the sandbox's tokens, stored in PostgreSQL and shared by all processes. */
@Injectable()
export class SandboxKeys {
  private loading: Promise<KeyPair> | undefined;

  constructor(@InjectDataSource() private readonly database: DataSource) {}

  keys(): Promise<KeyPair> {
    this.loading ??= this.load().catch((error: unknown) => {
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }

  private async load(): Promise<KeyPair> {
    const { private_jwk, public_jwk } = (await this.find()) ?? (await this.create());
    return { privateKey: await importKey(private_jwk), publicKey: await importKey(public_jwk) };
  }

  private async find(): Promise<StoredKeys | undefined> {
    const [row]: StoredKeys[] = await this.database.query('SELECT private_jwk, public_jwk FROM sandbox_identity_keys');
    return row;
  }

  /** When processes start concurrently, the first stored key is used. */
  private async create(): Promise<StoredKeys> {
    const pair = await generateKeyPair(ALGORITHM, { extractable: true });
    await this.database.query('INSERT INTO sandbox_identity_keys VALUES (1, $1, $2) ON CONFLICT DO NOTHING', [
      await exportJWK(pair.privateKey),
      await exportJWK(pair.publicKey),
    ]);
    const stored = await this.find();
    if (!stored) throw new Error('the sandbox has no key');
    return stored;
  }
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, ALGORITHM);
  if (key instanceof Uint8Array) throw new Error('the key of the sandbox is not an RSA key');
  return key;
}
