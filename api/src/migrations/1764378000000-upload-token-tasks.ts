import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The task of the picture that an upload token has sent. */
export class UploadTokenTasks1764378000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE upload_tokens ADD COLUMN task_id uuid');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE upload_tokens DROP COLUMN task_id');
  }
}
