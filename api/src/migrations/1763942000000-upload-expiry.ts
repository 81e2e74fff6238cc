import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tasks without a file end when their upload URL expires, after fifteen minutes. */
export class UploadExpiry1763942000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE tasks ADD COLUMN upload_expires_at timestamptz;
      UPDATE tasks SET upload_expires_at = created_at + interval '15 minutes'
        WHERE status IN ('started', 'uploading') AND size_bytes IS NULL;
      CREATE INDEX tasks_upload_expiry ON tasks (upload_expires_at)
        WHERE status IN ('started', 'uploading') AND size_bytes IS NULL
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE tasks DROP COLUMN upload_expires_at');
  }
}
