import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ProgressAndLooks1763962000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE runs
        ADD COLUMN progress_at timestamptz,
        ADD COLUMN progress_until real,
        ADD COLUMN progress_seconds real;
      ALTER TABLE tasks ADD COLUMN looks jsonb;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE runs DROP COLUMN progress_at, DROP COLUMN progress_until, DROP COLUMN progress_seconds;
      ALTER TABLE tasks DROP COLUMN looks;
    `);
  }
}
