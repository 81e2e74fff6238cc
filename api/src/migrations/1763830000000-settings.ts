import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Settings1763830000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE flag_overrides (
        name text PRIMARY KEY,
        value jsonb NOT NULL,
        updated_at timestamptz NOT NULL
      );
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE flag_overrides');
  }
}
