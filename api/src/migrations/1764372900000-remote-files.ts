import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sealed addresses of files elsewhere, until they have served; `tasks.output_upload` is what is shown of the second. */
const UP = `
  ALTER TABLE tasks ADD output_upload jsonb;

  CREATE TABLE remote_files (
    task_id uuid PRIMARY KEY REFERENCES tasks ON DELETE CASCADE,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    key_id uuid NOT NULL,
    input_url text,
    fetching_until timestamptz,
    output_url text,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX remote_files_inputs ON remote_files (created_at) WHERE input_url IS NOT NULL;
  CREATE INDEX remote_files_fetching ON remote_files (user_id) WHERE fetching_until IS NOT NULL;
  CREATE INDEX remote_files_outputs ON remote_files (created_at) WHERE output_url IS NOT NULL;
`;

const DOWN = `
  DROP TABLE remote_files;
  ALTER TABLE tasks DROP output_upload;
`;

export class RemoteFiles1764372900000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(UP);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(DOWN);
  }
}
