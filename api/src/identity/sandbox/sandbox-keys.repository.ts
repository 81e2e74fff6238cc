import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { JWK } from 'jose';
import { DataSource } from 'typeorm';

/** A key pair in JSON Web Key format (RFC 7517). */
export interface StoredKeyPair {
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
}

/** The SQL of the sandbox's key pair, of which there is one. */
@Injectable()
export class SandboxKeysRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async find(): Promise<StoredKeyPair | undefined> {
    const [row]: StoredKeyPair[] = await this.database.query(
      'SELECT private_jwk AS "privateJwk", public_jwk AS "publicJwk" FROM sandbox_identity_keys',
    );
    return row;
  }

  /** Keeps an existing key pair. */
  async insert({ privateJwk, publicJwk }: StoredKeyPair): Promise<void> {
    await this.database.query('INSERT INTO sandbox_identity_keys VALUES (1, $1, $2) ON CONFLICT DO NOTHING', [
      privateJwk,
      publicJwk,
    ]);
  }
}
