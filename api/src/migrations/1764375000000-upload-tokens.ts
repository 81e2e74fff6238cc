import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens by which a page sends one picture in the name of a key. */
const UP = `
  CREATE TABLE upload_tokens (
    id uuid PRIMARY KEY,
    key_id uuid NOT NULL REFERENCES plugin_keys ON DELETE CASCADE,
    hash bytea NOT NULL UNIQUE,
    ai_pipeline jsonb,
    output_content_type text,
    origin text,
    expires_at timestamptz NOT NULL,
    used_at timestamptz
  );
  CREATE INDEX upload_tokens_key ON upload_tokens (key_id);
  CREATE INDEX upload_tokens_expiry ON upload_tokens (expires_at);
`;

export class UploadTokens1764375000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(UP);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE upload_tokens');
  }
}
