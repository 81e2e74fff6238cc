import { randomUUID } from 'node:crypto';
import { inMilliseconds, type Pack, type Period, type Plan, packPriceOf, planPriceOf } from '@clearframe/contract';
import type { BillingEvent } from '../../../src/billing-accounts/billing-account.js';
import {
  type BillingAccount,
  emptyAccount,
  type Payment,
  type Subscription,
} from '../../../src/billing-accounts/billing-account.js';
import { reduce } from '../../../src/billing-accounts/reduce.js';
import type { PaymentSnapshot, SubscriptionSnapshot } from '../../../src/providers/payment-provider.js';
import { newSubscription } from '../../../src/subscriptions/subscription-orders.js';

export const START = new Date('2026-11-21T12:00:00Z');
export const after = (from: Date, days: number): Date => new Date(from.getTime() + inMilliseconds.days(days));

export class AccountModel {
  account: BillingAccount = emptyAccount(randomUUID());
  now = START;
  private readNo = 0;

  apply(...events: BillingEvent[]): this {
    this.account = events.reduce(reduce, this.account);
    return this;
  }

  payment(pack: Pack = 'three_exports', taskId: string | null = null): Payment {
    const price = packPriceOf(pack, 'usd');
    const payment: Payment = {
      id: randomUUID(),
      userId: this.account.userId,
      provider: 'stripe',
      providerId: null,
      customerId: 'cus',
      priceId: price.id,
      exports: price.exports,
      amountCents: price.amountCents,
      currency: 'usd',
      taskId,
      status: 'pending',
      refundedCents: 0,
      isDisputed: false,
      isDuplicate: false,
      payerEmail: null,
      readNo: 0,
      createdAt: this.now,
      settledAt: null,
    };
    this.apply({ kind: 'payment_ordered', payment });
    return payment;
  }

  pay(payment: Payment, overrides: Partial<PaymentSnapshot> = {}, readNo = ++this.readNo): this {
    const snapshot: PaymentSnapshot = {
      id: `pi_${payment.id}`,
      provider: 'stripe',
      customerId: 'cus',
      reference: payment.id,
      status: 'succeeded',
      amountCents: payment.amountCents,
      currency: payment.currency,
      refundedCents: 0,
      isDisputed: false,
      payerEmail: null,
      ...overrides,
    };
    return this.apply({ kind: 'payment_synced', paymentId: payment.id, snapshot, readNo, at: this.now });
  }

  order(
    plan: Plan = 'personal',
    order: { trial?: boolean; forfeit?: number; replaces?: string; period?: Period } = {},
  ): Subscription {
    const subscription = newSubscription(
      this.account.userId,
      {
        provider: 'stripe',
        providerId: null,
        customerId: 'cus',
        price: planPriceOf(plan, order.period ?? 'weekly', 'usd'),
        intro: null,
        paymentMethodId: 'pm',
        trial: order.trial ?? false,
        forfeitCredits: order.forfeit ?? 0,
      },
      this.now,
      order.replaces ?? null,
    );
    this.apply({ kind: 'subscription_ordered', subscription, fingerprint: null });
    return subscription;
  }

  run(subscription: Subscription, overrides: Partial<SubscriptionSnapshot> = {}, readNo = ++this.readNo): this {
    const snapshot: SubscriptionSnapshot = {
      id: `sub_${subscription.id}`,
      provider: 'stripe',
      customerId: 'cus',
      reference: subscription.id,
      priceId: subscription.priceId,
      status: 'active',
      createdAt: subscription.createdAt,
      currentPeriodStart: subscription.createdAt,
      currentPeriodEnd: after(subscription.createdAt, 7),
      trialEnd: null,
      cancelAtPeriodEnd: false,
      canceledAt: null,
      endedAt: null,
      hasIntro: false,
      paidCents: planPriceOf('personal', 'weekly', 'usd').amountCents,
      currency: 'usd',
      isDisputed: false,
      fingerprint: null,
      ...overrides,
    };
    return this.apply({
      kind: 'subscription_synced',
      subscriptionId: subscription.id,
      snapshot,
      priceId: subscription.priceId,
      readNo,
      at: this.now,
    });
  }

  gift(days: number): this {
    return this.apply({
      kind: 'gift_redeemed',
      id: randomUUID(),
      codeId: randomUUID(),
      durationMs: inMilliseconds.days(days),
      at: this.now,
    });
  }

  export(taskId: string = randomUUID()): string {
    this.apply({ kind: 'export_reserved', id: randomUUID(), taskId, isFree: false, at: this.now });
    return taskId;
  }

  nextReadNo(): number {
    return ++this.readNo;
  }
}
