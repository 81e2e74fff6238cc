import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Time of the next check of open rows, as an indexable column; null for never. Replaces `checked_at` and `checks`. New
 * rows are left to their request for ten seconds.
 */
export class NextChecks1763940000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['payments', 'subscriptions', 'checkouts', 'upgrades']) {
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN next_check_at timestamptz DEFAULT now()`);
      await queryRunner.query(
        `ALTER TABLE ${table} ALTER COLUMN next_check_at SET DEFAULT now() + interval '10 seconds'`,
      );
    }
    await queryRunner.query(`
      CREATE INDEX payments_next_check ON payments (next_check_at)
        WHERE status IN ('pending', 'failed') AND provider_id IS NOT NULL;
      CREATE INDEX subscriptions_next_check ON subscriptions (next_check_at) WHERE status = 'pending';
      CREATE INDEX subscriptions_period_end ON subscriptions (current_period_end)
        WHERE status IN ('trialing', 'active', 'past_due', 'paused', 'unpaid') AND provider <> 'mobile';
      CREATE INDEX subscriptions_incomplete ON subscriptions (created_at) WHERE status = 'incomplete';
      CREATE INDEX subscriptions_trial_reminder ON subscriptions (current_period_end)
        WHERE status = 'trialing' AND noticed_for IS DISTINCT FROM current_period_end;
      CREATE INDEX subscriptions_renewal_notice ON subscriptions (current_period_end)
        WHERE status = 'active' AND price_id LIKE '%yearly%' AND noticed_for IS DISTINCT FROM current_period_end;
      CREATE INDEX checkouts_unsettled ON checkouts (created_at) WHERE custom_id IS NOT NULL AND NOT is_settled;
      CREATE INDEX upgrades_next_check ON upgrades (next_check_at) WHERE step NOT IN ('done', 'failed');
      CREATE INDEX webhook_events_unprocessed ON webhook_events (received_at) WHERE processed_at IS NULL;
      ALTER TABLE webhook_events ALTER COLUMN checked_at SET DEFAULT now();
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP INDEX webhook_events_unprocessed, subscriptions_period_end, subscriptions_incomplete,
        subscriptions_trial_reminder, subscriptions_renewal_notice, checkouts_unsettled;
      ALTER TABLE webhook_events ALTER COLUMN checked_at DROP DEFAULT;
      ALTER TABLE payments DROP COLUMN next_check_at;
      ALTER TABLE subscriptions DROP COLUMN next_check_at;
      ALTER TABLE checkouts DROP COLUMN next_check_at;
      ALTER TABLE upgrades DROP COLUMN next_check_at;
    `);
  }
}
