import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PaymentRow, SubscriptionRow } from '../billing-accounts/account.entities.js';
import { AccountRepository } from '../billing-accounts/account.repository.js';
import { isRefundDue, isUnspent, type Payment, type Subscription } from '../billing-accounts/billing-account.js';
import { type AccountChange, BillingAccounts } from '../billing-accounts/billing-accounts.js';
import { isAsOrdered } from '../billing-accounts/reduce.js';
import { BillingMailer } from '../billing-mail/billing-mailer.js';
import {
  CardProvider,
  PaymentProviders,
  type PaymentSnapshot,
  type SubscriptionSnapshot,
} from '../providers/payment-provider.js';
import { ProviderPrices } from '../providers/provider-prices.js';
import { TasksRepository } from '../tasks/tasks.repository.js';

/** Days that a photo paid for by a guest is kept. */
const PAID_TASK_RETENTION_DAYS = 30;

export type SyncedPayment = AccountChange<Payment> & { readonly isAsOrdered: boolean };

/**
 * Reads payments and subscriptions from their providers, without holding the user's lock. Each reading takes a number
 * before it starts and never overwrites one with a higher number.
 */
@Injectable()
export class ProviderSync {
  private readonly logger = new Logger(ProviderSync.name);

  constructor(
    private readonly repository: AccountRepository,
    private readonly accounts: BillingAccounts,
    private readonly cards: CardProvider,
    private readonly providers: PaymentProviders,
    private readonly prices: ProviderPrices,
    private readonly tasks: TasksRepository,
    private readonly mailer: BillingMailer,
  ) {}

  nextReadNo(): Promise<number> {
    return this.repository.nextReadNo();
  }

  /** Refunds a photo's second payment before it returns; the next call repeats an interrupted refund. */
  async payment(paymentId: string): Promise<SyncedPayment | null> {
    const synced = await this.readAndApply(paymentId);
    if (!synced?.result.providerId || !isRefundDue(synced.result)) return synced;
    const { provider, providerId } = synced.result;
    await this.providers.of(provider).refundPayment(providerId, `duplicate:${paymentId}`);
    return this.readAndApply(paymentId);
  }

  /** Refunds a guest's photo whose file can't be made; the next call repeats an interrupted refund. */
  async refundUndelivered(paymentId: string): Promise<void> {
    const payment = (await this.readAndApply(paymentId))?.result;
    if (!payment?.providerId || payment.refundedCents > 0 || payment.isDisputed) return;
    const { provider, providerId, taskId } = payment;
    const decided = await this.accounts.changeOwningAccount(
      'payments',
      paymentId,
      (account) => ({ events: [], result: taskId !== null && isUnspent(account, taskId) }),
      async (manager, { result: isDue }) => {
        if (isDue) await this.mailer.undelivered(manager, payment);
      },
    );
    if (!decided?.result) return;
    await this.providers.of(provider).refundPayment(providerId, `undelivered:${paymentId}`);
    await this.readAndApply(paymentId);
    this.logger.error({ paymentId, taskId }, 'payment refunded, since the photo could not be delivered');
  }

  private async readAndApply(paymentId: string): Promise<SyncedPayment | null> {
    const row = await this.repository.findPayment({ id: paymentId });
    if (!row?.providerId) return null;
    const readNo = await this.nextReadNo();
    const snapshot = await this.readPayment(row, row.providerId);
    if (!snapshot) return null;
    const synced = await this.applyPayment(paymentId, snapshot, readNo);
    if (!synced) await this.refundOrphan(row, snapshot);
    return synced;
  }

  /** Captures an approved order. Idempotent by the row's id. */
  private async readPayment(row: PaymentRow, providerId: string): Promise<PaymentSnapshot | null> {
    const provider = this.providers.of(row.provider);
    const snapshot = await provider.readPayment(providerId);
    const isApprovedOrder = snapshot?.status === 'approved' && row.status === 'pending' && isAsOrdered(row, snapshot);
    // Not for an erased account.
    return isApprovedOrder && provider.needsApproval && row.userId !== null
      ? provider.capturePayment(providerId, `capture:${row.id}`)
      : snapshot;
  }

  private async applyPayment(
    paymentId: string,
    snapshot: PaymentSnapshot,
    readNo: number,
  ): Promise<SyncedPayment | null> {
    const changed = await this.accounts.changeOwningAccount<{ before: Payment | undefined }>(
      'payments',
      paymentId,
      (account, at) => ({
        events: [{ kind: 'payment_synced', paymentId, snapshot, readNo, at }],
        result: { before: account.payments.find(({ id }) => id === paymentId) },
      }),
      (manager, { account, result }) => this.paid(manager, account.payments, paymentId, result.before),
    );
    const payment = changed?.account.payments.find(({ id }) => id === paymentId);
    if (!changed || !payment) return null;
    return { ...changed, result: payment, isAsOrdered: isAsOrdered(payment, snapshot) };
  }

  private async paid(
    manager: EntityManager,
    payments: readonly Payment[],
    paymentId: string,
    before: Payment | undefined,
  ): Promise<void> {
    const payment = payments.find(({ id }) => id === paymentId);
    if (!payment || before?.status === payment.status) return;
    const { id, provider, priceId, status } = payment;
    this.logger.log({ paymentId: id, provider, priceId, status }, 'payment changed');
    if (status !== 'succeeded') return;
    if (payment.isDuplicate) return this.mailer.paidTwice(manager, payment);
    if (payment.taskId) await this.tasks.extendExpiry(manager, payment.taskId, PAID_TASK_RETENTION_DAYS);
    await this.mailer.paid(manager, payment);
  }

  async subscription(subscriptionId: string): Promise<AccountChange<Subscription> | null> {
    const row = await this.repository.findSubscription({ id: subscriptionId });
    if (!row) return null;
    const readNo = await this.repository.nextReadNo();
    const snapshot = await this.readSubscription(row);
    return snapshot && this.applySubscription(subscriptionId, snapshot, readNo);
  }

  private async readSubscription(row: SubscriptionRow): Promise<SubscriptionSnapshot | null> {
    if (row.provider === 'mobile') return null;
    if (row.providerId) return this.providers.of(row.provider).readSubscription(row.providerId);
    if (!row.customerId) return null;
    const all = await this.cards.listSubscriptions(row.customerId);
    return all.find(({ reference }) => reference === row.id) ?? null;
  }

  /**
   * Changes a subscription at its provider and applies the state that it returns. A concurrent reading that started
   * later may have missed the change, and wins: the state is read again.
   */
  async change(
    subscriptionId: string,
    changing: (readNo: number) => Promise<SubscriptionSnapshot>,
  ): Promise<AccountChange<Subscription> | null> {
    const readNo = await this.nextReadNo();
    const changed = await this.applySubscription(subscriptionId, await changing(readNo), readNo);
    return changed && changed.result.readNo > readNo ? this.subscription(subscriptionId) : changed;
  }

  async applySubscription(
    subscriptionId: string,
    snapshot: SubscriptionSnapshot,
    readNo: number,
  ): Promise<AccountChange<Subscription> | null> {
    const priceId = this.prices.priceOf(snapshot.priceId) ?? null;
    const changed = await this.accounts.changeOwningAccount<Subscription | undefined>(
      'subscriptions',
      subscriptionId,
      (account, at) => ({
        events: [{ kind: 'subscription_synced', subscriptionId, snapshot, priceId, readNo, at }],
        result: account.subscriptions.find(({ id }) => id === subscriptionId),
      }),
      (manager, done) => this.changedSubscription(manager, subscriptionId, done),
    );
    if (!changed) await this.endOrphan(subscriptionId, snapshot);
    const subscription = changed?.account.subscriptions.find(({ id }) => id === subscriptionId);
    if (!changed || !subscription) return null;
    return { ...changed, result: subscription };
  }

  private async changedSubscription(
    manager: EntityManager,
    subscriptionId: string,
    { account, result: before, now }: AccountChange<Subscription | undefined>,
  ): Promise<void> {
    const subscription = account.subscriptions.find(({ id }) => id === subscriptionId);
    if (!subscription || subscription === before) return;
    const { provider, priceId, status } = subscription;
    if (status !== before?.status) {
      this.logger.log({ subscriptionId, provider, priceId, status }, 'subscription changed');
    }
    await this.mailer.charged(manager, subscription);
    await this.mailer.changed(manager, before, subscription, now);
    await this.mailer.notice(manager, subscription, now);
  }

  /** Refunds what was paid after the account's erasure, and what its erasure interrupted. */
  private async refundOrphan(row: PaymentRow, { id, provider, status }: PaymentSnapshot): Promise<void> {
    if (status !== 'succeeded' || (row.status === 'succeeded' && !isRefundDue(row))) return;
    await this.providers.of(provider).refundPayment(id, `orphan:${row.id}`);
    if (await this.repository.settleOrphan(row.id)) {
      this.logger.warn({ paymentId: row.id }, 'payment without an owner refunded');
    }
  }

  /** Refunds and ends a subscription whose account was erased during its creation. */
  private async endOrphan(
    subscriptionId: string,
    { id, provider, endedAt, paidCents }: SubscriptionSnapshot,
  ): Promise<void> {
    const isOurs = await this.repository.subscriptionExists({ id: subscriptionId });
    if (!isOurs || endedAt) return;
    const adapter = this.providers.of(provider);
    // First: a subscription that has ended is not looked at again.
    if (paidCents > 0) await adapter.refundSubscription(id, paidCents, `orphan:${subscriptionId}:refund`);
    await adapter.endSubscription(id, `orphan:${subscriptionId}`);
    this.logger.warn({ subscriptionId }, 'subscription without an owner ended');
  }
}
