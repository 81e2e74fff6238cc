import type { MigrationInterface, QueryRunner } from 'typeorm';

export class MainJob1763712000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE users (
        id uuid PRIMARY KEY,
        is_guest boolean NOT NULL,
        created_at timestamptz NOT NULL
      );
      CREATE TABLE sessions (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        revoked_at timestamptz
      );
      CREATE INDEX sessions_user ON sessions (user_id);
      CREATE TABLE bulk_uploads (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX bulk_uploads_user ON bulk_uploads (user_id, created_at);
      CREATE TABLE tasks (
        id uuid PRIMARY KEY,
        bulk_upload_id uuid NOT NULL REFERENCES bulk_uploads ON DELETE CASCADE,
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        position int NOT NULL,
        status text NOT NULL CHECK (status IN ('started', 'uploading', 'processing', 'reprocessing', 'completed',
          'exported', 'failed', 'invalid', 'cancelled')),
        ai_pipeline jsonb NOT NULL,
        output_content_type text NOT NULL,
        jpeg_quality int NOT NULL CHECK (jpeg_quality IN (90, 100)),
        file_name text,
        content_type text NOT NULL,
        declared_size_bytes int,
        sha256 text,
        size_bytes int,
        run_id uuid,
        rendition jsonb,
        queued_at timestamptz,
        outputs jsonb NOT NULL DEFAULT '[]',
        error_code text,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        UNIQUE (bulk_upload_id, position)
      );
      CREATE INDEX tasks_user ON tasks (user_id, created_at);
      CREATE INDEX tasks_expiry ON tasks (expires_at);
      CREATE INDEX tasks_running ON tasks (queued_at) WHERE status IN ('processing', 'reprocessing');
      CREATE TABLE outbox (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        job text NOT NULL,
        job_id text NOT NULL,
        payload jsonb NOT NULL,
        created_at timestamptz NOT NULL
      );
      CREATE TABLE idempotency_keys (
        scope text NOT NULL,
        key text NOT NULL,
        fingerprint text NOT NULL,
        status int,
        answer jsonb,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (scope, key)
      );
      CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE idempotency_keys, outbox, tasks, bulk_uploads, sessions, users');
  }
}
