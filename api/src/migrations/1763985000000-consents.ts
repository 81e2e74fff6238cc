import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Consents1763985000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE users ADD COLUMN marketing_consent_at timestamptz, ADD COLUMN image_training_consent_at timestamptz;
      CREATE TABLE consent_changes (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        kind text NOT NULL,
        is_granted boolean NOT NULL,
        request_url text NOT NULL,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX consent_changes_user ON consent_changes (user_id, kind, created_at)
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE consent_changes;
      ALTER TABLE users DROP COLUMN marketing_consent_at, DROP COLUMN image_training_consent_at
    `);
  }
}
