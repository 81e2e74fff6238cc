import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why the last attempt to settle or publish a run failed. */
export class RunReasons1763999500000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE runs ADD COLUMN reason text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE runs DROP COLUMN reason');
  }
}
