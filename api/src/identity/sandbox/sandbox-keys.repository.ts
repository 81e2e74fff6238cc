import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { JWK } from 'jose';
import { DataSource } from 'typeorm';

/** JSON Web Keys (RFC 7517). */
export interface StoredKeyPair {
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
}

/** There is one key pair. */
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
