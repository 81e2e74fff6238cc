import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
  ALTER TABLE remote_files ADD held boolean NOT NULL DEFAULT false;
  ALTER TABLE remote_files ADD starts boolean NOT NULL DEFAULT false;
  DROP INDEX remote_files_inputs;
  CREATE INDEX remote_files_inputs ON remote_files (created_at) WHERE (input_url IS NOT NULL OR mask_url IS NOT NULL) AND NOT held;
`;

const DOWN = `
  DROP INDEX remote_files_inputs;
  CREATE INDEX remote_files_inputs ON remote_files (created_at) WHERE input_url IS NOT NULL;
  ALTER TABLE remote_files DROP starts;
  ALTER TABLE remote_files DROP held;
`;

export class MasksOfUploads1764380000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(UP);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(DOWN);
  }
}
