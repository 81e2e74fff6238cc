import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Identifiers of events beside the client's, by name; none in anonymous events. */
export class EventIds1764220000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE web_events ADD COLUMN ids jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE web_events DROP COLUMN ids');
  }
}
