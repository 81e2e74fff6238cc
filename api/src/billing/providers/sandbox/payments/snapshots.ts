import type { EntityManager } from 'typeorm';
import type { PaymentSnapshot, SubscriptionSnapshot } from '../../port/payment-provider.js';
import { type Agreement, Intent, Method, Order } from '../core/ledger.entities.js';
import { planOf } from './agreement-lifecycle.js';
import { chargesOf, inPeriod } from './charges.js';

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

export async function subscriptionSnapshot(
  manager: EntityManager,
  agreement: Agreement,
): Promise<SubscriptionSnapshot> {
  const { paymentMethodId, introPriceId, currentPeriodStart } = agreement;
  const method = paymentMethodId === null ? null : await manager.findOneBy(Method, { id: paymentMethodId });
  const charges = await chargesOf(manager, agreement.id);
  const running = inPeriod(charges, currentPeriodStart);
  return {
    id: agreement.id,
    provider: agreement.provider,
    customerId: agreement.customerId,
    reference: agreement.reference,
    priceId: agreement.priceId,
    status: agreement.status,
    createdAt: agreement.createdAt,
    currentPeriodStart,
    currentPeriodEnd: agreement.currentPeriodEnd,
    trialEnd: agreement.trialEnd,
    cancelAtPeriodEnd: agreement.cancelAtPeriodEnd,
    canceledAt: agreement.canceledAt,
    endedAt: agreement.endedAt,
    hasIntro: introPriceId !== null,
    paidCents: sum(running.map(({ amountCents, refundedCents }) => amountCents - refundedCents)),
    currency: planOf(agreement.priceId).currency,
    isDisputed: charges.some(({ isDisputed }) => isDisputed),
    fingerprint: method?.fingerprint ?? null,
  };
}

const INTENT_STATUS = {
  open: 'pending',
  requires_action: 'pending',
  succeeded: 'succeeded',
  canceled: 'canceled',
} as const satisfies Record<Intent['status'], PaymentSnapshot['status']>;

/** A declined payment stays pending: another card may follow. */
export async function cardPaymentSnapshot(manager: EntityManager, id: string): Promise<PaymentSnapshot | null> {
  const intent = await manager.findOneBy(Intent, { id, kind: 'payment' });
  if (!intent || intent.amountCents === null || intent.currency === null) return null;
  const { customerId, reference, status, amountCents, currency } = intent;
  return {
    id,
    provider: 'stripe',
    customerId,
    reference,
    status: INTENT_STATUS[status],
    amountCents,
    currency,
    payerEmail: null,
    ...(await refundsOf(manager, id)),
  };
}

const ORDER_STATUS = {
  approved: 'approved',
  captured: 'succeeded',
  canceled: 'canceled',
} as const satisfies Record<Order['status'], PaymentSnapshot['status']>;

export async function walletPaymentSnapshot(manager: EntityManager, id: string): Promise<PaymentSnapshot | null> {
  const order = await manager.findOneBy(Order, { id });
  if (!order) return null;
  const { customId, status, amountCents, currency, payerEmail } = order;
  return {
    id,
    provider: 'paypal',
    customerId: null,
    reference: customId,
    status: ORDER_STATUS[status],
    amountCents,
    currency,
    payerEmail,
    ...(await refundsOf(manager, id)),
  };
}

async function refundsOf(manager: EntityManager, id: string) {
  const charges = await chargesOf(manager, id);
  return {
    refundedCents: sum(charges.map(({ refundedCents }) => refundedCents)),
    isDisputed: charges.some(({ isDisputed }) => isDisputed),
  };
}
