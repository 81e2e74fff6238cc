import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TracesOfRuns1764383000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE runs ADD traceparent text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE runs DROP traceparent');
  }
}
