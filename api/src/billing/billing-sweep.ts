import { INCOMPLETE_HOURS, inMilliseconds, TRIAL_REMINDER_DAYS_BEFORE } from '@clearframe/contract';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { BillingAccounts } from './billing-accounts.js';
import { RENEWAL_NOTICE_DAYS_BEFORE } from './billing-letters.js';
import { BillingClock } from './payment-provider.js';
import { ProviderSubjects } from './provider-subjects.js';
import { ProviderSync } from './provider-sync.js';
import { UpgradeSaga } from './upgrade-saga.js';

const BATCH = 50;
/** Whoever is in the middle of a request is left alone this long; then, with every look in vain, twice as long. */
const PATIENCE = `least(interval '1 hour', interval '10 seconds' * power(2, least(checks, 12)))`;
/** Longer than any call to a provider takes: what it has not made by then it will not make. */
const GIVEN_UP_AFTER_MS = inMilliseconds.minutes(10);

const daysAfter = (now: Date, days: number): Date => new Date(now.getTime() + inMilliseconds.days(days));

type Table = 'payments' | 'subscriptions' | 'upgrades' | 'checkouts';

/** Looks at what no event and no caller came for: the provider is asked, and asked again, until the answer is final. */
@Injectable()
export class BillingSweep {
  private readonly logger = new Logger(BillingSweep.name);

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly accounts: BillingAccounts,
    private readonly sync: ProviderSync,
    private readonly saga: UpgradeSaga,
    private readonly subjects: ProviderSubjects,
    private readonly clock: BillingClock,
  ) {}

  /** One pass. */
  async run(): Promise<void> {
    const now = await this.clock.now();
    await this.each('payments', `status IN ('pending', 'failed') AND provider_id IS NOT NULL`, [], (id) =>
      this.sync.payment(id),
    );
    await this.each(
      'subscriptions',
      `provider <> 'mobile' AND (status = 'pending'
         OR (status IN ('trialing', 'active', 'past_due', 'paused', 'unpaid') AND current_period_end <= $1)
         OR (status = 'incomplete' AND created_at <= $2))`,
      [now, new Date(now.getTime() - inMilliseconds.hours(INCOMPLETE_HOURS))],
      (id) => this.subscription(id),
    );
    await this.each(
      'checkouts',
      'custom_id IS NOT NULL AND NOT is_settled AND created_at > $1',
      [daysAfter(now, -1)],
      (id) => this.subjects.checkout(id),
    );
    await this.notices(now);
    await this.each('upgrades', `step NOT IN ('done', 'failed')`, [], (id) => this.saga.advance(id));
  }

  /** Takes rows that nobody has looked at lately and no other process holds. */
  private async each(
    table: Table,
    condition: string,
    values: readonly unknown[],
    look: (id: string) => Promise<unknown>,
  ): Promise<void> {
    const [rows]: { id: string }[][] = await this.database.query(
      `UPDATE ${table} SET checked_at = now(), checks = checks + 1 WHERE id IN (
         SELECT id FROM ${table} WHERE ${condition} AND checked_at < now() - ${PATIENCE}
         ORDER BY checked_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [...values],
    );
    for (const { id } of rows ?? []) await this.look(table, id, () => look(id));
  }

  /** Subscriptions that a notice is due for, once a period: reading them writes it. */
  private async notices(now: Date): Promise<void> {
    const [rows]: { id: string }[][] = await this.database.query(
      `UPDATE subscriptions SET noticed_for = current_period_end WHERE id IN (
         SELECT id FROM subscriptions WHERE noticed_for IS DISTINCT FROM current_period_end AND current_period_end > $1
           AND (status = 'trialing' AND current_period_end <= $2
                OR status = 'active' AND current_period_end <= $3 AND price_id LIKE '%yearly%')
         LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [now, daysAfter(now, TRIAL_REMINDER_DAYS_BEFORE), daysAfter(now, RENEWAL_NOTICE_DAYS_BEFORE)],
    );
    for (const { id } of rows ?? []) await this.look('subscriptions', id, () => this.sync.subscription(id));
  }

  private async look(table: Table, id: string, deed: () => Promise<unknown>): Promise<void> {
    await deed().catch((error: Error) => this.logger.warn(`${table} ${id}: ${error.message}`));
  }

  private async subscription(id: string): Promise<void> {
    if (await this.sync.subscription(id)) await this.settle(id);
    else await this.giveUp(id);
  }

  /** One that runs again need not be looked at before its next end. */
  private async settle(id: string): Promise<void> {
    await this.database.query(
      `UPDATE subscriptions SET checks = 0 WHERE id = $1 AND status IN ('trialing', 'active') AND current_period_end > $2`,
      [id, await this.clock.now()],
    );
  }

  /** The provider has never made it. Should it turn up all the same, its row is still there. */
  private async giveUp(subscriptionId: string): Promise<void> {
    const [row]: unknown[] = await this.database.query(
      `SELECT FROM subscriptions WHERE id = $1 AND status = 'pending' AND provider_id IS NULL
       AND created_at < $2`,
      [subscriptionId, new Date((await this.clock.now()).getTime() - GIVEN_UP_AFTER_MS)],
    );
    if (!row) return;
    const owned = await this.accounts.changeOwner('subscriptions', subscriptionId, (_account, at) => ({
      events: [{ kind: 'subscription_abandoned', subscriptionId, at }],
      result: null,
    }));
    if (owned) return;
    const forget = `UPDATE subscriptions SET status = 'abandoned', customer_id = NULL WHERE id = $1 AND user_id IS NULL`;
    await this.database.query(forget, [subscriptionId]);
  }
}
