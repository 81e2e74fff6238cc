import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WalletApprovals1763910000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE checkouts
        ADD COLUMN is_settled boolean NOT NULL DEFAULT false,
        ADD COLUMN checked_at timestamptz NOT NULL DEFAULT now(),
        ADD COLUMN checks int NOT NULL DEFAULT 0;
      CREATE INDEX checkouts_open ON checkouts (checked_at) WHERE custom_id IS NOT NULL AND NOT is_settled;
      CREATE TABLE refused_approvals (
        provider_id text PRIMARY KEY,
        reason text NOT NULL,
        created_at timestamptz NOT NULL
      );
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE refused_approvals;
      DROP INDEX checkouts_open;
      ALTER TABLE checkouts DROP COLUMN is_settled, DROP COLUMN checked_at, DROP COLUMN checks;
    `);
  }
}
