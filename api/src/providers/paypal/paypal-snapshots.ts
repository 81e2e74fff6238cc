import { inMilliseconds, type SubscriptionStatus } from '@clearframe/contract';
import type { PaymentSnapshot, SubscriptionSnapshot } from '../payment-provider.js';
import { type PlanTerms, periodMsOf } from './paypal-plans.js';
import { centsOf, currencyOf, type Order, type Subscription, type Transaction } from './paypal-shapes.js';

/** PayPal charges at the same hour of the day, which may be before that of the start. */
const CHARGE_TOLERANCE_MS = inMilliseconds.days(1);

export interface Period {
  readonly start: Date;
  readonly end: Date;
  readonly trialEnd: Date | null;
}

const later = (moment: Date, milliseconds: number): Date => new Date(moment.getTime() + milliseconds);

function paidAtOf({ billing_info: info }: Subscription): Date | null {
  const payment = info?.last_payment;
  return payment && centsOf(payment.amount) > 0 ? payment.time : null;
}

const isUnpaid = ({ billing_info: info }: Subscription): boolean => (info?.failed_payments_count ?? 0) > 0;

/**
 * The running period, or the unpaid one after a failed charge, derived from start, plan and last payment: PayPal names
 * only the next charge, and not after the end.
 */
export function periodOf(subscription: Subscription, terms: PlanTerms | undefined): Period {
  const { start_time: start, billing_info: info } = subscription;
  const paidAt = paidAtOf(subscription);
  const next = info?.next_billing_time;
  // A plan that isn't ours.
  if (!terms) return { start: paidAt ?? start, end: next ?? paidAt ?? start, trialEnd: null };
  const trialEnd = terms.trialDays > 0 ? later(start, inMilliseconds.days(terms.trialDays)) : null;
  const anchor = trialEnd ?? start;
  const length = periodMsOf(terms);
  if (!paidAt && trialEnd && !isUnpaid(subscription)) return { start, end: trialEnd, trialEnd };
  const sincePaid = paidAt ? paidAt.getTime() - anchor.getTime() + CHARGE_TOLERANCE_MS : 0;
  const paid = later(anchor, Math.max(0, Math.floor(sincePaid / length)) * length);
  if (isUnpaid(subscription)) {
    const from = paidAt ? later(paid, length) : anchor;
    return { start: from, end: later(from, length), trialEnd };
  }
  return { start: paid, end: next && next > paid ? next : later(paid, length), trialEnd };
}

function statusOf(subscription: Subscription, { trialEnd }: Period): SubscriptionStatus {
  switch (subscription.status) {
    case 'APPROVAL_PENDING':
    case 'APPROVED':
      return 'incomplete';
    case 'ACTIVE':
      if (isUnpaid(subscription)) return 'past_due';
      return trialEnd && !paidAtOf(subscription) ? 'trialing' : 'active';
    case 'SUSPENDED':
      return isUnpaid(subscription) ? 'unpaid' : 'paused';
    case 'CANCELLED':
    case 'EXPIRED':
      return 'canceled';
  }
}

export interface PaidTransaction {
  readonly id: string;
  readonly time: Date;
  readonly grossCents: number;
  readonly currencyCode: string;
  readonly refundedCents: number;
}

export const isPaid = ({ status }: Transaction): boolean =>
  status === 'COMPLETED' || status === 'PARTIALLY_REFUNDED' || status === 'REFUNDED';

export const isOfPeriod =
  ({ start }: Period) =>
  ({ time }: { readonly time: Date }): boolean =>
    time.getTime() >= start.getTime() - CHARGE_TOLERANCE_MS;

export function subscriptionSnapshot(
  subscription: Subscription,
  terms: PlanTerms | undefined,
  paid: readonly PaidTransaction[],
  isDisputed: boolean,
): SubscriptionSnapshot {
  const period = periodOf(subscription, terms);
  const status = statusOf(subscription, period);
  const { billing_info: info, start_time: start, create_time: created } = subscription;
  const endedAt = status === 'canceled' ? (subscription.status_update_time ?? start) : null;
  const payment = info?.last_payment;
  return {
    id: subscription.id,
    provider: 'paypal',
    customerId: null,
    reference: subscription.custom_id ?? null,
    priceId: subscription.plan_id,
    status,
    createdAt: created ?? start,
    currentPeriodStart: period.start,
    currentPeriodEnd: period.end,
    trialEnd: period.trialEnd,
    // Cancelling is immediate.
    cancelAtPeriodEnd: false,
    canceledAt: endedAt,
    endedAt,
    hasIntro: false,
    paidCents: paid.reduce((total, { grossCents, refundedCents }) => total + grossCents - refundedCents, 0),
    currency: terms?.price.currency ?? (payment && currencyOf(payment.amount)) ?? 'usd',
    isDisputed,
    fingerprint: subscription.subscriber?.payer_id ?? null,
  };
}

const ORDER_STATUS: Readonly<Record<string, PaymentSnapshot['status']>> = {
  APPROVED: 'approved',
  VOIDED: 'canceled',
};
const CAPTURE_STATUS: Readonly<Record<string, PaymentSnapshot['status']>> = {
  COMPLETED: 'succeeded',
  PARTIALLY_REFUNDED: 'succeeded',
  REFUNDED: 'succeeded',
  DECLINED: 'failed',
  FAILED: 'failed',
};

/** Statuses of refunds that paid nothing back. */
const FAILED_REFUNDS = ['CANCELLED', 'FAILED'];

/** Null for an order that can't be ours: browsers create orders, with any content. */
export function paymentSnapshot(
  order: Order,
  merchantId: string,
  disputed: ReadonlySet<string>,
): PaymentSnapshot | null {
  const [unit, ...others] = order.purchase_units;
  const currency = unit && currencyOf(unit.amount);
  if (!unit || !currency || others.length > 0 || order.intent !== 'CAPTURE') return null;
  if (unit.payee?.merchant_id !== merchantId) return null;
  const [capture] = unit.payments?.captures ?? [];
  const refunds = unit.payments?.refunds?.filter(({ status }) => !FAILED_REFUNDS.includes(status ?? '')) ?? [];
  const refunded = refunds.reduce((total, { amount }) => total + centsOf(amount), 0);
  return {
    id: order.id,
    provider: 'paypal',
    customerId: null,
    reference: unit.custom_id ?? null,
    status: (capture ? CAPTURE_STATUS[capture.status] : ORDER_STATUS[order.status]) ?? 'pending',
    amountCents: centsOf(capture?.amount ?? unit.amount),
    currency,
    refundedCents: capture?.status === 'REFUNDED' ? centsOf(capture.amount) : refunded,
    isDisputed: capture !== undefined && disputed.has(capture.id),
    payerEmail: order.payer?.email_address ?? null,
  };
}
