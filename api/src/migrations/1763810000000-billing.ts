import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Purchases, subscriptions, ledgers. No foreign keys to `users`: what tax law requires outlives the account, and a
 * foreign key would lock a user during another one's order.
 */
export class Billing1763810000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE SEQUENCE billing_reads;
      CREATE TABLE billing_customers (
        user_id uuid PRIMARY KEY,
        customer_id text NOT NULL UNIQUE,
        created_at timestamptz NOT NULL
      );
      CREATE TABLE payments (
        id uuid PRIMARY KEY,
        user_id uuid,
        provider text NOT NULL CHECK (provider IN ('stripe', 'paypal')),
        provider_id text,
        customer_id text,
        price_id text NOT NULL,
        exports int NOT NULL CHECK (exports > 0),
        amount_cents int NOT NULL CHECK (amount_cents > 0),
        currency text NOT NULL,
        task_id uuid,
        status text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed', 'canceled')),
        refunded_cents int NOT NULL DEFAULT 0 CHECK (refunded_cents BETWEEN 0 AND amount_cents),
        is_disputed boolean NOT NULL DEFAULT false,
        payer_email text,
        read_no bigint NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL,
        settled_at timestamptz,
        checked_at timestamptz NOT NULL DEFAULT now(),
        checks int NOT NULL DEFAULT 0,
        UNIQUE (provider, provider_id)
      );
      CREATE INDEX payments_user ON payments (user_id);
      CREATE INDEX payments_pending ON payments (checked_at) WHERE status IN ('pending', 'failed');
      CREATE TABLE subscriptions (
        id uuid PRIMARY KEY,
        user_id uuid,
        provider text NOT NULL CHECK (provider IN ('stripe', 'paypal', 'mobile')),
        provider_id text,
        customer_id text,
        price_id text NOT NULL,
        intro_price_id text,
        payment_method_id text,
        asks_trial boolean NOT NULL,
        status text NOT NULL CHECK (status IN ('pending', 'abandoned', 'incomplete', 'incomplete_expired', 'trialing',
          'active', 'past_due', 'paused', 'unpaid', 'canceled')),
        current_period_start timestamptz,
        current_period_end timestamptz,
        trial_end timestamptz,
        cancel_at_period_end boolean NOT NULL DEFAULT false,
        canceled_at timestamptz,
        ended_at timestamptz,
        has_intro boolean NOT NULL DEFAULT false,
        paid_cents int NOT NULL DEFAULT 0,
        currency text NOT NULL,
        is_disputed boolean NOT NULL DEFAULT false,
        forfeit_credits int NOT NULL DEFAULT 0 CHECK (forfeit_credits >= 0),
        forfeited_at timestamptz,
        replaces_id uuid,
        superseded_at timestamptz,
        previewed_at timestamptz,
        noticed_for timestamptz,
        read_no bigint NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL,
        checked_at timestamptz NOT NULL DEFAULT now(),
        checks int NOT NULL DEFAULT 0,
        UNIQUE (provider, provider_id)
      );
      CREATE INDEX subscriptions_user ON subscriptions (user_id);
      CREATE INDEX subscriptions_open ON subscriptions (checked_at)
        WHERE status IN ('pending', 'incomplete', 'trialing', 'active', 'past_due', 'paused', 'unpaid');
      CREATE TABLE credit_entries (
        id text PRIMARY KEY,
        user_id uuid NOT NULL,
        amount int NOT NULL CHECK (amount <> 0),
        reason text NOT NULL CHECK (reason IN ('purchase', 'export', 'return', 'forfeit', 'refund', 'dispute', 'settled')),
        task_id uuid,
        payment_id uuid,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX credit_entries_user ON credit_entries (user_id);
      CREATE TABLE export_uses (
        task_id uuid PRIMARY KEY,
        id uuid NOT NULL UNIQUE,
        user_id uuid NOT NULL,
        source text NOT NULL CHECK (source IN ('unlimited', 'period', 'credit')),
        subscription_id uuid,
        period_start timestamptz,
        is_kept boolean NOT NULL,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX export_uses_user ON export_uses (user_id);
      CREATE INDEX export_uses_period ON export_uses (subscription_id, period_start) WHERE source = 'period';
      CREATE TABLE trial_uses (
        subscription_id uuid PRIMARY KEY,
        user_id uuid NOT NULL UNIQUE,
        fingerprint text UNIQUE,
        created_at timestamptz NOT NULL
      );
      CREATE TABLE gift_redemptions (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL,
        code_id uuid NOT NULL,
        expires_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL,
        UNIQUE (code_id, user_id)
      );
      CREATE INDEX gift_redemptions_user ON gift_redemptions (user_id);
      CREATE TABLE upgrades (
        id uuid PRIMARY KEY,
        user_id uuid,
        old_subscription_id uuid NOT NULL,
        new_subscription_id uuid NOT NULL UNIQUE,
        step text NOT NULL CHECK (step IN ('creating', 'ending', 'refunding', 'done', 'failed')),
        refund_cents int NOT NULL CHECK (refund_cents >= 0),
        refunded_cents int,
        created_at timestamptz NOT NULL,
        checked_at timestamptz NOT NULL DEFAULT now(),
        checks int NOT NULL DEFAULT 0
      );
      CREATE UNIQUE INDEX upgrades_one_at_a_time ON upgrades (old_subscription_id) WHERE step <> 'failed';
      CREATE INDEX upgrades_open ON upgrades (checked_at) WHERE step NOT IN ('done', 'failed');
      CREATE TABLE video_uses (
        task_id uuid PRIMARY KEY,
        user_id uuid NOT NULL,
        week date NOT NULL,
        size_bytes bigint NOT NULL CHECK (size_bytes >= 0),
        seconds double precision NOT NULL CHECK (seconds >= 0),
        is_kept boolean NOT NULL,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX video_uses_week ON video_uses (user_id, week);
      CREATE TABLE subscription_codes (
        hash bytea PRIMARY KEY,
        purpose text NOT NULL CHECK (purpose IN ('cancel', 'portal')),
        subscription_id uuid NOT NULL,
        expires_at timestamptz NOT NULL,
        used_at timestamptz
      );
      CREATE INDEX subscription_codes_age ON subscription_codes (expires_at);
      CREATE TABLE webhook_events (
        sender text NOT NULL,
        event_id text NOT NULL,
        type text NOT NULL,
        provider text,
        subject_kind text,
        subject_id text,
        received_at timestamptz NOT NULL,
        processed_at timestamptz,
        checked_at timestamptz NOT NULL,
        checks int NOT NULL DEFAULT 0,
        PRIMARY KEY (sender, event_id)
      );
      CREATE INDEX webhook_events_waiting ON webhook_events (checked_at) WHERE processed_at IS NULL;
      CREATE INDEX webhook_events_age ON webhook_events (received_at);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE webhook_events, subscription_codes, video_uses, upgrades, gift_redemptions, trial_uses, export_uses,
        credit_entries, subscriptions, payments, billing_customers;
      DROP SEQUENCE billing_reads
    `);
  }
}
