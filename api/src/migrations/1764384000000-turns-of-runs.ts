import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests add runs while the indexes are built. */
export class TurnsOfRuns1764384000000 implements MigrationInterface {
  readonly transaction = false;

  /** Can be repeated after a failure. */
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE runs ADD COLUMN IF NOT EXISTS turn int DEFAULT 0 NOT NULL');
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS runs_next');
    await queryRunner.query(
      `CREATE INDEX CONCURRENTLY runs_next ON runs (queue, kind, priority, turn, created_at, id) WHERE status = 'waiting'`,
    );
    await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS runs_oldest');
    await queryRunner.query(
      `CREATE INDEX CONCURRENTLY runs_oldest ON runs (queue, created_at) WHERE status = 'waiting' AND priority = 1`,
    );
    await queryRunner.query(
      `UPDATE runs SET turn = waiting.nth FROM (
         SELECT id, row_number() OVER (PARTITION BY queue, user_id, priority = 0 ORDER BY priority, created_at, id) AS nth
         FROM runs WHERE status = 'waiting'
       ) waiting WHERE runs.id = waiting.id AND runs.status = 'waiting'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX runs_oldest');
    await queryRunner.query('DROP INDEX runs_next');
    await queryRunner.query('ALTER TABLE runs DROP turn');
  }
}
