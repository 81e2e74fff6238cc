import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When an average was measured last: after a pause the load may be another. */
export class MeasuredDurations1764250000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE run_durations ADD COLUMN measured_at timestamptz NOT NULL DEFAULT now()');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE run_durations DROP COLUMN measured_at');
  }
}
