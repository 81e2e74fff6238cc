import type { MigrationInterface, QueryRunner } from 'typeorm';

export class StaffAndGifts1763840000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE audit_entries (
        id uuid PRIMARY KEY,
        actor text NOT NULL,
        action text NOT NULL,
        details jsonb NOT NULL,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX audit_entries_age ON audit_entries (created_at);
      CREATE TABLE gift_codes (
        id uuid PRIMARY KEY,
        code_hash text NOT NULL UNIQUE,
        prefix text NOT NULL,
        days int CHECK (days > 0),
        expires_at timestamptz,
        max_uses int NOT NULL CHECK (max_uses > 0),
        uses int NOT NULL DEFAULT 0 CHECK (uses <= max_uses),
        revoked_at timestamptz,
        created_at timestamptz NOT NULL,
        CHECK (days IS NOT NULL OR expires_at IS NOT NULL)
      );
      CREATE TABLE gift_code_uses (
        code_id uuid NOT NULL REFERENCES gift_codes ON DELETE CASCADE,
        user_id uuid NOT NULL,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (code_id, user_id)
      );
      CREATE TABLE mail_messages (
        id uuid PRIMARY KEY,
        idempotency_key text NOT NULL UNIQUE,
        recipient text NOT NULL,
        subject text NOT NULL,
        body text NOT NULL,
        attempts int NOT NULL DEFAULT 0,
        next_attempt_at timestamptz NOT NULL,
        sent_at timestamptz,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX mail_messages_waiting ON mail_messages (next_attempt_at) WHERE sent_at IS NULL;
      CREATE TABLE sandbox_mobile_subscriptions (
        oracle_backend_id text PRIMARY KEY,
        email text NOT NULL,
        created_at timestamptz NOT NULL
      );
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'DROP TABLE sandbox_mobile_subscriptions, mail_messages, gift_code_uses, gift_codes, audit_entries',
    );
  }
}
