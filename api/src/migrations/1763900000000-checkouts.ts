import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Checkouts1763900000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE checkouts (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL,
        provider text NOT NULL CHECK (provider IN ('stripe', 'paypal')),
        kind text NOT NULL CHECK (kind IN ('pack', 'subscribe', 'retry', 'upgrade', 'change_period')),
        price_id text NOT NULL,
        intro_price_id text,
        trial boolean NOT NULL,
        task_id uuid,
        unlocked_exports int NOT NULL CHECK (unlocked_exports >= 0),
        version text,
        subscription_id uuid,
        custom_id text UNIQUE,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX checkouts_user ON checkouts (user_id);
      CREATE INDEX checkouts_age ON checkouts (created_at);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE checkouts');
  }
}
