import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Sharings1763972000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE sharings (
        id text PRIMARY KEY,
        task_id uuid REFERENCES tasks ON DELETE CASCADE,
        preview jsonb,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX sharings_task ON sharings (task_id);
      CREATE INDEX sharings_live ON sharings (expires_at) WHERE task_id IS NOT NULL;
      CREATE INDEX sharings_expired ON sharings (expires_at) WHERE task_id IS NULL
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE sharings');
  }
}
