import { SubscriptionStatus } from '@clearframe/contract';
import type Stripe from 'stripe';
import type { CardSubscription, InvoicePayment, SubscriptionSnapshot } from '../payment-provider.js';
import {
  createRefund,
  currencyOf,
  idOf,
  isDeclined,
  isDisputed,
  isRejected,
  isUnknownId,
  REFERENCE,
  REFUND_KEY,
} from './stripe-client.js';
import type { StripePrices } from './stripe-prices.js';

const INTRO_PRICE = 'intro_price';

/** Nested objects that presenting a subscription needs. */
const SUBSCRIPTION_EXPANDED = ['default_payment_method', 'latest_invoice.payments'];

const dateOf = (seconds: number): Date => new Date(seconds * 1000);
const dateOrNull = (seconds: number | null): Date | null => (seconds === null ? null : dateOf(seconds));

const PAGE_SIZE = 100;
/** More than a customer has in twenty years of weekly charges. */
const MAX_CHARGES = 1_000;

/** Reads and changes subscriptions. Each change returns the state after it. */
export class StripeSubscriptions {
  constructor(
    private readonly stripe: Stripe,
    private readonly prices: StripePrices,
  ) {}

  async read(id: string): Promise<SubscriptionSnapshot> {
    const subscription = await this.stripe.subscriptions.retrieve(id, { expand: SUBSCRIPTION_EXPANDED });
    const charges = await this.charges(idOf(subscription.customer) ?? '');
    return this.snapshotOf(subscription, charges);
  }

  async listOf(customerId: string): Promise<SubscriptionSnapshot[]> {
    const expand = SUBSCRIPTION_EXPANDED.map((path) => `data.${path}`);
    const [subscriptions, charges] = await Promise.all([
      this.stripe.subscriptions
        .list({ customer: customerId, status: 'all', limit: PAGE_SIZE, expand })
        .autoPagingToArray({ limit: MAX_CHARGES }),
      this.charges(customerId),
    ]);
    return Promise.all(subscriptions.map((subscription) => this.snapshotOf(subscription, charges)));
  }

  async create(order: CardSubscription): Promise<SubscriptionSnapshot> {
    const { customerId, priceId, introPriceId, trialDays, reference, failIfUnpaid, key } = order;
    const method = order.paymentMethodId ?? (await this.defaultMethodOf(customerId));
    const trialOffer = introPriceId === null ? null : this.prices.trialOfferOf(introPriceId);
    const { id } = await this.stripe.subscriptions.create(
      {
        customer: customerId,
        items: [{ price: priceId, ...(trialOffer !== null && { current_trial: { trial_offer: trialOffer } }) }],
        ...(method !== null && { default_payment_method: method }),
        payment_behavior: failIfUnpaid ? 'error_if_incomplete' : 'allow_incomplete',
        payment_settings: { save_default_payment_method: 'on_subscription' },
        ...(trialDays !== null && {
          trial_period_days: trialDays,
          trial_settings: { end_behavior: { missing_payment_method: 'cancel' as const } },
        }),
        metadata: { [REFERENCE]: reference, ...(introPriceId !== null && { [INTRO_PRICE]: introPriceId }) },
      },
      { idempotencyKey: key },
    );
    return this.read(id);
  }

  async payOpenInvoice({ subscriptionId, paymentMethodId, key }: InvoicePayment): Promise<SubscriptionSnapshot> {
    const { latest_invoice: invoice, status } = await this.stripe.subscriptions.retrieve(subscriptionId);
    const invoiceId = idOf(invoice);
    const isOpen = status === 'incomplete' || status === 'past_due' || status === 'unpaid';
    if (isOpen && invoiceId !== null && (await this.payInvoice(invoiceId, paymentMethodId, key))) {
      await this.stripe.subscriptions.update(
        subscriptionId,
        { default_payment_method: paymentMethodId },
        { idempotencyKey: `${key}:default` },
      );
    }
    return this.read(subscriptionId);
  }

  async voidIncomplete(id: string, key: string): Promise<SubscriptionSnapshot> {
    const { status, latest_invoice: invoice } = await this.stripe.subscriptions.retrieve(id);
    const invoiceId = idOf(invoice);
    if (status === 'incomplete' && invoiceId !== null) {
      // Rejected when the invoice has just been paid.
      await this.stripe.invoices.voidInvoice(invoiceId, {}, { idempotencyKey: key }).catch(ignoreRejection);
    }
    return this.read(id);
  }

  async setCancelAtPeriodEnd(id: string, cancel: boolean, key: string): Promise<SubscriptionSnapshot> {
    await this.stripe.subscriptions.update(id, { cancel_at_period_end: cancel }, { idempotencyKey: key });
    return this.read(id);
  }

  async end(id: string): Promise<SubscriptionSnapshot> {
    // A repeated DELETE responds with 404 for a subscription that has ended; an unknown one has no state to read.
    await this.stripe.subscriptions.cancel(id, { prorate: false, invoice_now: false }).catch(ignoreUnknown);
    return this.read(id);
  }

  /** Refunds what the current period's invoice was paid with, each payment found again by the key. */
  async refund(subscriptionId: string, amountCents: number, key: string): Promise<number> {
    const subscription = await this.stripe.subscriptions.retrieve(subscriptionId, { expand: SUBSCRIPTION_EXPANDED });
    const charges = await this.charges(idOf(subscription.customer) ?? '');
    let refunded = 0;
    for (const intent of paidIntentsOf(subscription)) {
      const earlier = await this.refundedUnder(intent, key);
      const charge = charges.find((one) => one.status === 'succeeded' && idOf(one.payment_intent) === intent);
      const isBlocked = !charge || (await isDisputed(this.stripe, charge));
      const left = isBlocked ? 0 : charge.amount - charge.amount_refunded;
      const amount = Math.min(amountCents - refunded, left);
      if (earlier === 0 && amount > 0) await createRefund(this.stripe, { intent, amount, key });
      refunded += earlier || Math.max(0, amount);
    }
    return refunded;
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

  private async refundedUnder(intent: string, key: string): Promise<number> {
    const { data } = await this.stripe.refunds.list({ payment_intent: intent, limit: 100 });
    return data.find(({ metadata }) => metadata?.[REFUND_KEY] === key)?.amount ?? 0;
  }

  private async defaultMethodOf(customer: string): Promise<string | null> {
    const { data } = await this.stripe.subscriptions.list({ customer, limit: 100 });
    return data.map(({ default_payment_method: method }) => idOf(method)).find((id) => id !== null) ?? null;
  }

  private async payInvoice(invoiceId: string, paymentMethodId: string, key: string): Promise<boolean> {
    try {
      const order = { payment_method: paymentMethodId };
      await this.stripe.invoices.pay(invoiceId, order, { idempotencyKey: key });
      return true;
    } catch (error) {
      if (isDeclined(error)) return false;
      if (!isRejected(error)) throw error;
      const invoice = await this.stripe.invoices.retrieve(invoiceId);
      if (invoice.status === 'open') throw error;
      return false;
    }
  }
}

function ignoreUnknown(error: unknown): void {
  if (!isUnknownId(error)) throw error;
}

function ignoreRejection(error: unknown): void {
  if (!isRejected(error)) throw error;
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
