import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Test keys beside live ones, scopes by name, and what keys have used. Keys keep the scopes that earlier processes know
 * besides those with names. `test_days`: the daily allowance of an account's test keys.
 */
const UP = `
  ALTER TABLE plugin_keys ADD kind text NOT NULL DEFAULT 'live' CHECK (kind IN ('live', 'test'));
  UPDATE plugin_keys SET scopes = scopes || '{media:read,media:write,videos}' WHERE 'media' = ANY (scopes);
  ALTER TABLE tasks ADD is_test boolean NOT NULL DEFAULT false;

  CREATE TABLE key_usage (
    run_id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    key_id uuid REFERENCES plugin_keys ON DELETE CASCADE,
    is_test boolean NOT NULL,
    media_type text NOT NULL CHECK (media_type IN ('image', 'video')),
    tools text[] NOT NULL,
    accepted_at timestamptz NOT NULL
  );
  CREATE INDEX key_usage_user ON key_usage (user_id, accepted_at);
  CREATE INDEX key_usage_key ON key_usage (key_id, accepted_at);

  CREATE TABLE test_days (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    day date NOT NULL,
    used int NOT NULL CHECK (used >= 0),
    PRIMARY KEY (user_id, day)
  );
`;

const DOWN = `
  DROP TABLE test_days;
  DROP TABLE key_usage;
  ALTER TABLE tasks DROP is_test;
  DELETE FROM plugin_keys WHERE kind = 'test';
  UPDATE plugin_keys SET scopes = '{media,profile}';
  ALTER TABLE plugin_keys DROP kind;
`;

export class TestKeys1764372000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(UP);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(DOWN);
  }
}
