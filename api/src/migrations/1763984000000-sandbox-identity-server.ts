import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SandboxIdentity1763940000003 } from './1763940000003-sandbox-identity.js';

export class SandboxIdentityServer1763984000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE sandbox_identity_keys, sandbox_credentials, sandbox_identities');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await new SandboxIdentity1763940000003().up(queryRunner);
  }
}
