import { INCOMPLETE_HOURS, inMilliseconds, TRIAL_REMINDER_DAYS_BEFORE } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import {
  type DueRows,
  type DueWork,
  PATIENT_ATTEMPTS,
  PATIENT_BACKOFF,
  SchedulesWork,
  type WorkSource,
} from '../../platform/schedule/work.js';
import { BillingAccounts } from '../account/billing-accounts.js';
import { RENEWAL_NOTICE_DAYS_BEFORE } from '../mail/billing-mailer.js';
import { BillingClock } from '../providers/port/payment-provider.js';
import { ProviderSync } from '../sync/provider-sync.js';
import { UpgradeSaga } from '../upgrades/upgrade-saga.js';
import { ProviderEventProcessor } from './provider-event-processor.js';

/** Wait before the next look at a row that is still open: doubled each time. */
const NEXT_LOOK = `least(interval '1 hour', interval '10 seconds' * power(2, least(checks, 12)))`;
/** Longer than any call to a provider takes: a subscription that it has not made by then will not be made. */
const SUBSCRIPTION_GIVEN_UP_AFTER_MS = inMilliseconds.minutes(10);
/** A payment not paid for this long is read only when an event arrives for it. */
const PAYMENT_GIVEN_UP_AFTER_DAYS = 7;

const daysAfter = (now: Date, days: number): Date => new Date(now.getTime() + inMilliseconds.days(days));

type Table = 'payments' | 'subscriptions' | 'upgrades' | 'checkouts';

/** Asks providers about everything open that no event and no request brought up to date, until the answer is final. */
@SchedulesWork()
@Injectable()
export class BillingReconciler implements WorkSource {
  readonly scheduledWork: readonly DueWork[];

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly accounts: BillingAccounts,
    private readonly sync: ProviderSync,
    private readonly saga: UpgradeSaga,
    private readonly events: ProviderEventProcessor,
    private readonly clock: BillingClock,
  ) {
    // An index serves each of these conditions; `reconciling-plans.test.ts` looks at the plans.
    this.scheduledWork = [
      this.work('payments', 'open', 'next_check_at', {
        where: `status IN ('pending', 'failed') AND provider_id IS NOT NULL AND next_check_at <= now()`,
        run: (id) => this.payment(id),
      }),
      this.work('subscriptions', 'pending', 'next_check_at', {
        where: `status = 'pending' AND next_check_at <= now()`,
        run: (id) => this.subscription(id),
      }),
      this.work('subscriptions', 'period-ended', 'current_period_end', {
        where: `status IN ('trialing', 'active', 'past_due', 'paused', 'unpaid') AND provider <> 'mobile'
          AND current_period_end <= $1 AND next_check_at <= now()`,
        values: (now) => [now],
        run: (id) => this.subscription(id),
      }),
      this.work('subscriptions', 'incomplete', 'created_at', {
        where: `status = 'incomplete' AND created_at <= $1 AND next_check_at <= now()`,
        values: (now) => [new Date(now.getTime() - inMilliseconds.hours(INCOMPLETE_HOURS))],
        run: (id) => this.subscription(id),
      }),
      this.work('checkouts', 'unsettled', 'created_at', {
        where: 'custom_id IS NOT NULL AND NOT is_settled AND created_at > $1 AND next_check_at <= now()',
        values: (now) => [daysAfter(now, -1)],
        run: (id) => this.checkout(id),
      }),
      this.work('subscriptions', 'trial-reminder', 'current_period_end', {
        where: `status = 'trialing' AND noticed_for IS DISTINCT FROM current_period_end
          AND current_period_end > $1 AND current_period_end <= $2`,
        values: (now) => [now, daysAfter(now, TRIAL_REMINDER_DAYS_BEFORE)],
        run: (id) => this.notice(id),
      }),
      this.work('subscriptions', 'renewal-notice', 'current_period_end', {
        where: `status = 'active' AND price_id LIKE '%yearly%' AND noticed_for IS DISTINCT FROM current_period_end
          AND current_period_end > $1 AND current_period_end <= $2`,
        values: (now) => [now, daysAfter(now, RENEWAL_NOTICE_DAYS_BEFORE)],
        run: (id) => this.notice(id),
      }),
      this.work('upgrades', 'open', 'next_check_at', {
        where: `step NOT IN ('done', 'failed') AND next_check_at <= now()`,
        run: (id) => this.upgrade(id),
      }),
    ];
  }

  private work(
    table: Table,
    condition: string,
    orderBy: string,
    { where, values, run }: Pick<DueRows, 'where'> & Pick<DueWork, 'run'> & { values?: (now: Date) => unknown[] },
  ): DueWork {
    return {
      kind: `billing.${table}.${condition}`,
      everyMs: inMilliseconds.seconds(3),
      timeoutMs: inMilliseconds.minutes(1),
      concurrency: 4,
      maxAttempts: PATIENT_ATTEMPTS,
      backoff: PATIENT_BACKOFF,
      due: async () => ({ table, subject: 'id', where, orderBy, values: values?.(await this.clock.now()) ?? [] }),
      run,
    };
  }

  private async payment(id: string): Promise<void> {
    await this.sync.payment(id);
    await this.lookLater('payments', id);
    await this.database.query('UPDATE payments SET next_check_at = NULL WHERE id = $1 AND created_at < $2', [
      id,
      daysAfter(await this.clock.now(), -PAYMENT_GIVEN_UP_AFTER_DAYS),
    ]);
  }

  private async subscription(id: string): Promise<void> {
    const synced = await this.sync.subscription(id);
    if (!synced) await this.giveUp(id);
    await this.lookLater('subscriptions', id);
    if (synced) await this.settle(id);
  }

  private async checkout(id: string): Promise<void> {
    await this.events.checkout(id);
    await this.lookLater('checkouts', id);
  }

  private async upgrade(id: string): Promise<void> {
    await this.saga.advance(id);
    await this.lookLater('upgrades', id);
  }

  /** Reading a subscription that a notice is due for writes the notice; once a period. */
  private async notice(id: string): Promise<void> {
    // As text: a Date would lose the microseconds. Read first: syncing may begin the next period.
    const [row]: { end: string }[] = await this.database.query(
      'SELECT current_period_end::text AS end FROM subscriptions WHERE id = $1',
      [id],
    );
    await this.sync.subscription(id);
    await this.database.query('UPDATE subscriptions SET noticed_for = $2 WHERE id = $1', [id, row?.end]);
  }

  private async lookLater(table: Table, id: string): Promise<void> {
    await this.database.query(
      `UPDATE ${table} SET checks = checks + 1, next_check_at = now() + ${NEXT_LOOK} WHERE id = $1`,
      [id],
    );
  }

  /** One that runs again is looked at as soon as its next period ends. */
  private async settle(id: string): Promise<void> {
    await this.database.query(
      `UPDATE subscriptions SET checks = 0, next_check_at = now()
       WHERE id = $1 AND status IN ('trialing', 'active') AND current_period_end > $2`,
      [id, await this.clock.now()],
    );
  }

  /** The provider never made it. Should it turn up later, its row is still there. */
  private async giveUp(subscriptionId: string): Promise<void> {
    const [row]: unknown[] = await this.database.query(
      `SELECT FROM subscriptions WHERE id = $1 AND status = 'pending' AND provider_id IS NULL
       AND created_at < $2`,
      [subscriptionId, new Date((await this.clock.now()).getTime() - SUBSCRIPTION_GIVEN_UP_AFTER_MS)],
    );
    if (!row) return;
    const owned = await this.accounts.changeOwningAccount('subscriptions', subscriptionId, (_account, at) => ({
      events: [{ kind: 'subscription_abandoned', subscriptionId, at }],
      result: null,
    }));
    if (owned) return;
    const forget = `UPDATE subscriptions SET status = 'abandoned', customer_id = NULL WHERE id = $1 AND user_id IS NULL`;
    await this.database.query(forget, [subscriptionId]);
  }
}
