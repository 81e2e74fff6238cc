import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The error that led to a support request. */
export class SupportEventIds1764232000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE support_requests ADD COLUMN event_id text NOT NULL DEFAULT ''`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE support_requests DROP COLUMN event_id');
  }
}
