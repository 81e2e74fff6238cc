import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The sandbox of cards is a process with a schema of its own. Its tables here held no money and no card numbers. */
export class SandboxCards1763980000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE sandbox_portal_sessions, sandbox_intents;
      DELETE FROM sandbox_events WHERE provider = 'stripe';
      DELETE FROM sandbox_subscriptions WHERE provider = 'stripe';
      DELETE FROM sandbox_payment_methods WHERE customer_id IS NOT NULL;
      ALTER TABLE sandbox_subscriptions DROP COLUMN customer_id;
      ALTER TABLE sandbox_payment_methods DROP COLUMN customer_id;
      DROP TABLE sandbox_customers;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE sandbox_customers (
        id text PRIMARY KEY,
        user_id text NOT NULL UNIQUE,
        created_at timestamptz NOT NULL
      );
      ALTER TABLE sandbox_payment_methods ADD COLUMN customer_id text REFERENCES sandbox_customers;
      ALTER TABLE sandbox_subscriptions ADD COLUMN customer_id text REFERENCES sandbox_customers;
      CREATE INDEX sandbox_subscriptions_customer ON sandbox_subscriptions (customer_id);
      CREATE TABLE sandbox_intents (
        id text PRIMARY KEY,
        kind text NOT NULL CHECK (kind IN ('setup', 'payment')),
        secret text NOT NULL,
        customer_id text NOT NULL REFERENCES sandbox_customers,
        status text NOT NULL CHECK (status IN ('open', 'requires_action', 'succeeded', 'canceled')),
        payment_method_id text REFERENCES sandbox_payment_methods,
        amount_cents int CHECK (amount_cents > 0),
        currency text,
        reference text,
        last_error text,
        created_at timestamptz NOT NULL,
        next_at timestamptz,
        CHECK ((kind = 'payment') = (amount_cents IS NOT NULL AND currency IS NOT NULL))
      );
      CREATE INDEX sandbox_intents_due ON sandbox_intents (next_at) WHERE next_at IS NOT NULL;
      CREATE TABLE sandbox_portal_sessions (
        token_hash text PRIMARY KEY,
        customer_id text NOT NULL REFERENCES sandbox_customers,
        expires_at timestamptz NOT NULL
      );
    `);
  }
}
