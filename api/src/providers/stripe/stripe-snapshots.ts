import { CURRENCIES, type Currency, SubscriptionStatus } from '@clearframe/contract';
import type Stripe from 'stripe';
import type { PaymentSnapshot, SubscriptionSnapshot } from '../payment-provider.js';
import { idOf } from './stripe-client.js';
import type { StripePrices } from './stripe-prices.js';

export const REFERENCE = 'reference';
export const INTRO_PRICE = 'intro_price';

/** Nested objects that presenting a subscription needs. */
export const SUBSCRIPTION_EXPANDED = ['default_payment_method', 'latest_invoice.payments'];

const dateOf = (seconds: number): Date => new Date(seconds * 1000);
const dateOrNull = (seconds: number | null): Date | null => (seconds === null ? null : dateOf(seconds));

export function currencyOf(code: string): Currency {
  const currency = CURRENCIES.find((known) => known === code);
  if (!currency) throw new Error(`a payment in ${code}, which the product doesn't sell in`);
  return currency;
}

const PAYMENT_STATUS: Readonly<Record<string, PaymentSnapshot['status']>> = {
  succeeded: 'succeeded',
  canceled: 'canceled',
};

export const chargeIn = (intent: Stripe.PaymentIntent): Stripe.Charge | null =>
  typeof intent.latest_charge === 'object' ? intent.latest_charge : null;

/** @param intent with `latest_charge` expanded */
export function paymentSnapshot(intent: Stripe.PaymentIntent, isDisputed: boolean): PaymentSnapshot {
  const charge = chargeIn(intent);
  return {
    id: intent.id,
    provider: 'stripe',
    customerId: idOf(intent.customer),
    reference: intent.metadata[REFERENCE] ?? null,
    // A declined payment stays pending: another card may follow.
    status: PAYMENT_STATUS[intent.status] ?? 'pending',
    amountCents: intent.amount,
    currency: currencyOf(intent.currency),
    refundedCents: charge?.amount_refunded ?? 0,
    isDisputed,
    payerEmail: intent.receipt_email,
  };
}

export function paidIntentsOf({ latest_invoice: invoice }: Stripe.Subscription): string[] {
  if (typeof invoice !== 'object' || invoice === null) return [];
  const paid = invoice.payments?.data.filter(({ status }) => status === 'paid') ?? [];
  return paid.map(({ payment }) => idOf(payment.payment_intent)).filter((id) => id !== null);
}

/** @param charges of the customer @param isDisputed also for earlier periods */
export function subscriptionSnapshot(
  subscription: Stripe.Subscription,
  charges: readonly Stripe.Charge[],
  isDisputed: boolean,
  prices: StripePrices,
): SubscriptionSnapshot {
  const [item] = subscription.items.data;
  if (!item) throw new Error(`subscription ${subscription.id} has no item`);
  const intents = paidIntentsOf(subscription);
  const isOfPeriod = ({ status, payment_intent: intent }: Stripe.Charge) =>
    status === 'succeeded' && intents.includes(idOf(intent) ?? '');
  const paidCents = charges
    .filter(isOfPeriod)
    .reduce((total, { amount, amount_refunded: refunded }) => total + amount - refunded, 0);
  const { default_payment_method: method } = subscription;
  return {
    id: subscription.id,
    provider: 'stripe',
    customerId: idOf(subscription.customer),
    reference: subscription.metadata[REFERENCE] ?? null,
    priceId: prices.renewalPriceOf(item.price.id),
    status: SubscriptionStatus.parse(subscription.status),
    createdAt: dateOf(subscription.created),
    currentPeriodStart: dateOf(item.current_period_start),
    currentPeriodEnd: dateOf(item.current_period_end),
    trialEnd: dateOrNull(subscription.trial_end),
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    canceledAt: dateOrNull(subscription.canceled_at),
    endedAt: dateOrNull(subscription.ended_at),
    hasIntro: subscription.metadata[INTRO_PRICE] !== undefined,
    paidCents,
    currency: currencyOf(subscription.currency),
    isDisputed,
    fingerprint: typeof method === 'object' ? (method?.card?.fingerprint ?? null) : null,
  };
}
