import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { SandboxDatabase } from '../core/database.js';

export const ALGORITHM = 'RS256';

export interface SigningKey {
  readonly id: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly publicJwk: JWK;
}

interface Row {
  readonly private_jwk: JWK;
  readonly public_jwk: JWK;
}

/** The key pair of identity tokens, made at first use and kept in the database: tokens outlive a restart. */
export class SigningKeys {
  private loading: Promise<SigningKey> | undefined;

  constructor(private readonly database: SandboxDatabase) {}

  current(): Promise<SigningKey> {
    this.loading ??= this.load().catch((error: unknown) => {
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }

  private async load(): Promise<SigningKey> {
    const row = (await this.find()) ?? (await this.create());
    const id = await calculateJwkThumbprint(row.public_jwk);
    return {
      id,
      privateKey: await importKey(row.private_jwk),
      publicKey: await importKey(row.public_jwk),
      publicJwk: { ...row.public_jwk, kid: id, alg: ALGORITHM, use: 'sig' },
    };
  }

  private find(): Promise<Row | undefined> {
    return this.database.transact(async (client) => {
      const { rows } = await client.query<Row>('SELECT private_jwk, public_jwk FROM sandbox.signing_keys');
      return rows[0];
    }, true);
  }

  /** If several processes start concurrently, the first stores its key. */
  private async create(): Promise<Row> {
    const pair = await generateKeyPair(ALGORITHM, { extractable: true });
    const jwks = [await exportJWK(pair.privateKey), await exportJWK(pair.publicKey)];
    await this.database.transact((client) =>
      client.query('INSERT INTO sandbox.signing_keys VALUES (1, $1, $2) ON CONFLICT DO NOTHING', jwks),
    );
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
