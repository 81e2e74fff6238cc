import { CURRENCIES, type Currency, SubscriptionStatus } from '@clearframe/contract';
import type Stripe from 'stripe';
import type { PaymentSnapshot, SubscriptionSnapshot } from '../payment-provider.js';
import { idOf } from './stripe-client.js';
import type { StripePrices } from './stripe-prices.js';

/** Statuses of inquiries and disputes that cost us nothing. */
const SETTLED: readonly Stripe.Dispute.Status[] = ['won', 'warning_closed'];

/** A charge stays `disputed` after its dispute is won. */
export async function isDisputed(stripe: Stripe, { id, disputed }: Stripe.Charge): Promise<boolean> {
  if (!disputed) return false;
  const { data } = await stripe.disputes.list({ charge: id, limit: 100 });
  return data.length === 0 || data.some(({ status }) => !SETTLED.includes(status));
}

export const REFERENCE = 'reference';
export const INTRO_PRICE = 'intro_price';

/** Nested objects that presenting a subscription needs. */
const SUBSCRIPTION_EXPANDED = ['default_payment_method', 'latest_invoice.payments'];

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

const chargeIn = (intent: Stripe.PaymentIntent): Stripe.Charge | null =>
  typeof intent.latest_charge === 'object' ? intent.latest_charge : null;

/** @param intent with `latest_charge` expanded */
function paymentSnapshot(intent: Stripe.PaymentIntent, isDisputed: boolean): PaymentSnapshot {
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

function paidIntentsOf({ latest_invoice: invoice }: Stripe.Subscription): string[] {
  if (typeof invoice !== 'object' || invoice === null) return [];
  const paid = invoice.payments?.data.filter(({ status }) => status === 'paid') ?? [];
  return paid.map(({ payment }) => idOf(payment.payment_intent)).filter((id) => id !== null);
}

/** @param charges of the customer @param isDisputed also for earlier periods */
function subscriptionSnapshot(
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

const PAGE_SIZE = 100;
/** More than a customer has in twenty years of weekly charges. */
const MAX_CHARGES = 1_000;

export class StripeReader {
  constructor(
    private readonly stripe: Stripe,
    private readonly prices: StripePrices,
  ) {}

  /** @param intent with `latest_charge` expanded */
  async payment(intent: Stripe.PaymentIntent): Promise<PaymentSnapshot> {
    const charge = chargeIn(intent);
    return paymentSnapshot(intent, charge !== null && (await isDisputed(this.stripe, charge)));
  }

  async subscription(id: string): Promise<SubscriptionSnapshot> {
    const subscription = await this.stripe.subscriptions.retrieve(id, { expand: SUBSCRIPTION_EXPANDED });
    const charges = await this.charges(idOf(subscription.customer) ?? '');
    return this.snapshotOf(subscription, charges);
  }

  async subscriptionsOf(customerId: string): Promise<SubscriptionSnapshot[]> {
    const expand = SUBSCRIPTION_EXPANDED.map((path) => `data.${path}`);
    const [subscriptions, charges] = await Promise.all([
      this.stripe.subscriptions
        .list({ customer: customerId, status: 'all', limit: PAGE_SIZE, expand })
        .autoPagingToArray({ limit: MAX_CHARGES }),
      this.charges(customerId),
    ]);
    return Promise.all(subscriptions.map((subscription) => this.snapshotOf(subscription, charges)));
  }

  async paidFor(id: string): Promise<{ readonly intents: string[]; readonly charges: Stripe.Charge[] }> {
    const subscription = await this.stripe.subscriptions.retrieve(id, { expand: SUBSCRIPTION_EXPANDED });
    return {
      intents: paidIntentsOf(subscription),
      charges: await this.charges(idOf(subscription.customer) ?? ''),
    };
  }

  private async snapshotOf(
    subscription: Stripe.Subscription,
    charges: readonly Stripe.Charge[],
  ): Promise<SubscriptionSnapshot> {
    const isDisputed = await this.isDisputed(subscription, charges);
    return subscriptionSnapshot(subscription, charges, isDisputed, this.prices);
  }

  /** Charges don't name their subscription, but few are disputed. */
  private async isDisputed(subscription: Stripe.Subscription, charges: readonly Stripe.Charge[]): Promise<boolean> {
    const disputed: (string | null)[] = [];
    for (const charge of charges) {
      if (await isDisputed(this.stripe, charge)) disputed.push(idOf(charge.payment_intent));
    }
    if (disputed.length === 0) return false;
    const invoices = await this.stripe.invoices
      .list({ subscription: subscription.id, limit: PAGE_SIZE, expand: ['data.payments'] })
      .autoPagingToArray({ limit: MAX_CHARGES });
    const payments = invoices.flatMap(({ payments: list }) => list?.data ?? []);
    return payments.some(({ payment }) => disputed.includes(idOf(payment.payment_intent)));
  }

  private charges(customer: string): Promise<Stripe.Charge[]> {
    return this.stripe.charges.list({ customer, limit: PAGE_SIZE }).autoPagingToArray({ limit: MAX_CHARGES });
  }
}
