import type Stripe from 'stripe';
import type { PaymentSnapshot, SubscriptionSnapshot } from '../payment-provider.js';
import { idOf } from './stripe-client.js';
import { isDisputed } from './stripe-disputes.js';
import type { StripePrices } from './stripe-prices.js';
import {
  chargeIn,
  paidIntentsOf,
  paymentSnapshot,
  SUBSCRIPTION_EXPANDED,
  subscriptionSnapshot,
} from './stripe-snapshots.js';

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
