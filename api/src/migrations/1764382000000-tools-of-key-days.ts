import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts by tool; those of earlier days are not known. */
export class ToolsOfKeyDays1764382000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query("ALTER TABLE key_days ADD tools jsonb NOT NULL DEFAULT '{}'");
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE key_days DROP tools');
  }
}
