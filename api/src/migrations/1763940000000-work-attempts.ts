import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WorkAttempts1763940000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE work_attempts (
        kind text NOT NULL,
        subject text NOT NULL,
        attempts int NOT NULL CHECK (attempts >= 0),
        next_attempt_at timestamptz NOT NULL,
        reason text,
        set_aside_at timestamptz,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (kind, subject)
      )
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE work_attempts');
  }
}
