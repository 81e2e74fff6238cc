import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PictureLinks1763930000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE checkouts ADD COLUMN receipt_email text;
      CREATE TABLE picture_links (
        hash bytea PRIMARY KEY,
        task_id uuid NOT NULL REFERENCES tasks ON DELETE CASCADE,
        payment_id uuid NOT NULL UNIQUE,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX picture_links_task ON picture_links (task_id)
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE picture_links; ALTER TABLE checkouts DROP COLUMN receipt_email');
  }
}
