import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SandboxMobileServer1763986000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE sandbox_mobile_subscriptions');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE sandbox_mobile_subscriptions (
        oracle_backend_id text PRIMARY KEY,
        email text NOT NULL,
        created_at timestamptz NOT NULL
      )
    `);
  }
}
