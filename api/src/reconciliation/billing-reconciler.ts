import { INCOMPLETE_HOURS, inMilliseconds, TRIAL_REMINDER_DAYS_BEFORE } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { AccountRepository } from '../billing-accounts/account.repository.js';
import { RENEWAL_NOTICE_DAYS_BEFORE } from '../billing-mail/billing-mailer.js';
import { DownloadsService } from '../downloads/downloads.service.js';
import {
  type DueRows,
  type DueWork,
  OUTAGE_BACKOFF,
  OUTAGE_MAX_ATTEMPTS,
  SchedulesWork,
  type WorkSource,
} from '../platform/schedule/work.js';
import { ProviderSync } from '../provider-sync/provider-sync.js';
import { BillingClock } from '../providers/billing-clock.js';
import { CREATION_TIMEOUT_MS, SubscriptionOrders } from '../subscriptions/subscription-orders.js';
import { UpgradeSaga } from '../subscriptions/upgrade-saga.js';
import { ProviderEventProcessor } from './provider-event-processor.js';
import { type ReconciledTable, ReconciliationRepository } from './reconciliation.repository.js';

/** Older unpaid payments are updated by events only. */
const PAYMENT_CHECKED_DAYS = 7;

/** Long enough for the call, and for a restart of this process. */
const FIRST_CHARGE_LEAD_MS = inMilliseconds.minutes(15);

/** Before it, the payer's page exports a paid photo. */
const PAYER_EXPORT_MS = inMilliseconds.seconds(15);

/** Long enough for an outage of the workers. */
const UNDELIVERED_DAYS = 1;

const UNEXPORTED = `status = 'succeeded' AND task_id IS NOT NULL AND user_id IS NOT NULL AND NOT is_duplicate
  AND NOT is_disputed AND refunded_cents = 0
  AND EXISTS (SELECT FROM tasks t WHERE t.id = payments.task_id AND t.exported_at IS NULL)`;

const daysAfter = (now: Date, days: number): Date => new Date(now.getTime() + inMilliseconds.days(days));

/** Polls open rows at their providers until they are final, for events that never arrived. */
@SchedulesWork()
@Injectable()
export class BillingReconciler implements WorkSource {
  readonly scheduledWork: readonly DueWork[];

  constructor(
    private readonly repository: ReconciliationRepository,
    private readonly orders: SubscriptionOrders,
    private readonly sync: ProviderSync,
    private readonly saga: UpgradeSaga,
    private readonly events: ProviderEventProcessor,
    private readonly clock: BillingClock,
    private readonly accounts: AccountRepository,
    private readonly exports: DownloadsService,
  ) {
    // Each condition has an index, see `reconciling-plans.test.ts`.
    this.scheduledWork = [
      this.work('payments', 'open', 'next_check_at', {
        where: `status IN ('pending', 'failed') AND provider_id IS NOT NULL AND next_check_at <= now()`,
        run: (id) => this.payment(id),
      }),
      this.work('payments', 'refund-due', 'created_at', {
        where: `is_duplicate AND NOT is_disputed AND refunded_cents < amount_cents
          AND coalesce(next_check_at, created_at) <= now()`,
        run: (id) => this.payment(id),
      }),
      // The page that a payer returns to, and the link in the mail, export sooner.
      this.work('payments', 'unexported', 'settled_at', {
        where: `${UNEXPORTED} AND settled_at > $1 AND settled_at <= $2`,
        values: (now) => [daysAfter(now, -PAYMENT_CHECKED_DAYS), new Date(now.getTime() - PAYER_EXPORT_MS)],
        run: (id) => this.downloadPaid(id),
      }),
      this.work('payments', 'undelivered', 'settled_at', {
        where: `${UNEXPORTED} AND exports = 1 AND settled_at > $1 AND settled_at <= $2`,
        values: (now) => [daysAfter(now, -PAYMENT_CHECKED_DAYS), daysAfter(now, -UNDELIVERED_DAYS)],
        run: (id) => this.sync.refundUndelivered(id),
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
      this.work('subscriptions', 'first-charge', 'created_at', {
        where: `status = 'incomplete' AND provider = 'stripe' AND provider_id IS NOT NULL AND user_id IS NOT NULL
          AND payment_method_id IS NOT NULL AND first_charge_retried_at IS NULL AND created_at <= $1`,
        values: (now) => [new Date(now.getTime() - inMilliseconds.hours(INCOMPLETE_HOURS) + FIRST_CHARGE_LEAD_MS)],
        run: (id) => this.retryFirstCharge(id),
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
    table: ReconciledTable,
    condition: string,
    orderBy: string,
    { where, values, run }: Pick<DueRows, 'where'> & Pick<DueWork, 'run'> & { values?: (now: Date) => unknown[] },
  ): DueWork {
    return {
      kind: `billing.${table}.${condition}`,
      everyMs: inMilliseconds.seconds(3),
      timeoutMs: inMilliseconds.minutes(1),
      concurrency: 4,
      maxAttempts: OUTAGE_MAX_ATTEMPTS,
      backoff: OUTAGE_BACKOFF,
      due: async () => ({ table, subject: 'id', where, orderBy, values: values?.(this.clock.now()) ?? [] }),
      run,
    };
  }

  private async payment(id: string): Promise<void> {
    await this.sync.payment(id);
    await this.repository.scheduleNextCheck('payments', id);
    await this.repository.stopCheckingPayment(id, daysAfter(this.clock.now(), -PAYMENT_CHECKED_DAYS));
  }

  private async downloadPaid(paymentId: string): Promise<void> {
    const payment = await this.accounts.findPayment({ id: paymentId });
    if (payment?.userId && payment.taskId) await this.exports.downloadPaid(payment.userId, payment.taskId);
  }

  private async subscription(id: string): Promise<void> {
    const synced = await this.sync.subscription(id);
    if (!synced) await this.abandonUnconfirmed(id);
    await this.repository.scheduleNextCheck('subscriptions', id);
    if (synced) await this.repository.resetChecks(id, this.clock.now());
  }

  /** Spec 1, section 4: once, before the provider lets the subscription lapse. */
  private async retryFirstCharge(id: string): Promise<void> {
    const subscription = await this.accounts.findSubscription({ id });
    if (subscription?.status === 'incomplete') await this.orders.retryFirstCharge(subscription);
    await this.repository.markFirstChargeRetried(id);
  }

  private async checkout(id: string): Promise<void> {
    await this.events.checkout(id);
    await this.repository.scheduleNextCheck('checkouts', id);
  }

  private async upgrade(id: string): Promise<void> {
    await this.saga.advance(id);
    await this.repository.scheduleNextCheck('upgrades', id);
  }

  private async notice(id: string): Promise<void> {
    const periodEnd = await this.repository.periodEndOf(id);
    await this.sync.subscription(id);
    await this.repository.markNoticed(id, periodEnd);
  }

  private async abandonUnconfirmed(subscriptionId: string): Promise<void> {
    const orderedBefore = new Date(this.clock.now().getTime() - CREATION_TIMEOUT_MS);
    if (!(await this.repository.isUnconfirmed(subscriptionId, orderedBefore))) return;
    if (!(await this.orders.abandon(subscriptionId))) await this.repository.abandonOwnerless(subscriptionId);
  }
}
