import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Paying and overdue runs take turns: the ranking reads which of them a queue dispatched last. */
export class LastDispatchedRuns1764230000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE INDEX runs_last_dispatched ON runs (queue, dispatched_at) WHERE dispatched_at IS NOT NULL',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX runs_last_dispatched');
  }
}
