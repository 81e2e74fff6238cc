import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SandboxIdentity1763940000003 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE sandbox_identities (
        uid text PRIMARY KEY,
        email text NOT NULL
      );
      CREATE TABLE sandbox_credentials (
        provider text NOT NULL,
        email text NOT NULL,
        uid text NOT NULL REFERENCES sandbox_identities ON DELETE CASCADE,
        seq bigint GENERATED ALWAYS AS IDENTITY,
        PRIMARY KEY (provider, email)
      );
      CREATE INDEX sandbox_credentials_uid ON sandbox_credentials (uid, seq);
      CREATE TABLE sandbox_identity_keys (
        id int PRIMARY KEY CHECK (id = 1),
        private_jwk jsonb NOT NULL,
        public_jwk jsonb NOT NULL
      )
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE sandbox_identity_keys, sandbox_credentials, sandbox_identities');
  }
}
