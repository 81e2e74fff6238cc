import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SandboxPayments1763800000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE sandbox_company (
        id int PRIMARY KEY CHECK (id = 1),
        clock_offset_ms bigint NOT NULL,
        webhook_secret text NOT NULL
      );
      CREATE TABLE sandbox_customers (
        id text PRIMARY KEY,
        user_id text NOT NULL UNIQUE,
        created_at timestamptz NOT NULL
      );
      CREATE TABLE sandbox_payment_methods (
        id text PRIMARY KEY,
        customer_id text REFERENCES sandbox_customers,
        fingerprint text,
        decline_code text,
        created_at timestamptz NOT NULL
      );
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
      CREATE TABLE sandbox_orders (
        id text PRIMARY KEY,
        custom_id text NOT NULL,
        amount_cents int NOT NULL CHECK (amount_cents > 0),
        currency text NOT NULL,
        payer_email text NOT NULL,
        status text NOT NULL CHECK (status IN ('approved', 'captured', 'canceled')),
        created_at timestamptz NOT NULL,
        next_at timestamptz
      );
      CREATE INDEX sandbox_orders_due ON sandbox_orders (next_at) WHERE next_at IS NOT NULL;
      CREATE TABLE sandbox_subscriptions (
        id text PRIMARY KEY,
        provider text NOT NULL CHECK (provider IN ('stripe', 'paypal')),
        customer_id text REFERENCES sandbox_customers,
        reference text NOT NULL,
        price_id text NOT NULL,
        intro_price_id text,
        payment_method_id text REFERENCES sandbox_payment_methods,
        status text NOT NULL CHECK (status IN ('incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due',
          'canceled')),
        created_at timestamptz NOT NULL,
        current_period_start timestamptz NOT NULL,
        current_period_end timestamptz NOT NULL CHECK (current_period_end > current_period_start),
        trial_end timestamptz,
        cancel_at_period_end boolean NOT NULL,
        canceled_at timestamptz,
        ended_at timestamptz,
        noticed_for timestamptz,
        failed_attempts int NOT NULL,
        first_failed_at timestamptz,
        next_at timestamptz,
        CHECK ((ended_at IS NULL) = (status NOT IN ('canceled', 'incomplete_expired')))
      );
      CREATE INDEX sandbox_subscriptions_customer ON sandbox_subscriptions (customer_id);
      CREATE INDEX sandbox_subscriptions_due ON sandbox_subscriptions (next_at) WHERE next_at IS NOT NULL;
      CREATE TABLE sandbox_charges (
        id text PRIMARY KEY,
        subject_id text NOT NULL,
        amount_cents int NOT NULL CHECK (amount_cents > 0),
        currency text NOT NULL,
        period_start timestamptz,
        failure_code text,
        refunded_cents int NOT NULL CHECK (refunded_cents BETWEEN 0 AND amount_cents),
        is_disputed boolean NOT NULL,
        created_at timestamptz NOT NULL,
        CHECK (failure_code IS NULL OR (refunded_cents = 0 AND NOT is_disputed))
      );
      CREATE INDEX sandbox_charges_subject ON sandbox_charges (subject_id, created_at);
      CREATE TABLE sandbox_requests (
        key text PRIMARY KEY,
        fingerprint text NOT NULL,
        answer jsonb NOT NULL
      );
      CREATE TABLE sandbox_events (
        seq bigint GENERATED ALWAYS AS IDENTITY,
        id text PRIMARY KEY,
        type text NOT NULL,
        provider text NOT NULL,
        subject_kind text NOT NULL,
        subject_id text NOT NULL,
        created_at timestamptz NOT NULL,
        attempts int NOT NULL,
        next_attempt_at timestamptz,
        delivered_at timestamptz
      );
      CREATE INDEX sandbox_events_waiting ON sandbox_events (seq) WHERE next_attempt_at IS NOT NULL;
      CREATE INDEX sandbox_events_subject ON sandbox_events (subject_id, seq);
      CREATE TABLE sandbox_portal_sessions (
        token_hash text PRIMARY KEY,
        customer_id text NOT NULL REFERENCES sandbox_customers,
        expires_at timestamptz NOT NULL
      );
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE sandbox_portal_sessions, sandbox_events, sandbox_requests, sandbox_charges, sandbox_subscriptions,
        sandbox_orders, sandbox_intents, sandbox_payment_methods, sandbox_customers, sandbox_company
    `);
  }
}
