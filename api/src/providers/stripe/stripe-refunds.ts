import type Stripe from 'stripe';
import { idOf } from './stripe-client.js';
import { isDisputed, type StripeReader } from './stripe-reader.js';

const REFUND_KEY = 'refund_key';

/** Refunds, each found again by its key. */
export class StripeRefunds {
  constructor(
    private readonly stripe: Stripe,
    private readonly reader: StripeReader,
  ) {}

  async ofSubscription(subscriptionId: string, amountCents: number, key: string): Promise<number> {
    const { intents, charges } = await this.reader.paidFor(subscriptionId);
    let refunded = 0;
    for (const intent of intents) {
      const earlier = await this.refundedUnder(intent, key);
      const charge = charges.find((one) => one.status === 'succeeded' && idOf(one.payment_intent) === intent);
      const isBlocked = !charge || (await isDisputed(this.stripe, charge));
      const left = isBlocked ? 0 : charge.amount - charge.amount_refunded;
      const amount = Math.min(amountCents - refunded, left);
      if (earlier === 0 && amount > 0) await this.create(intent, amount, key);
      refunded += earlier || Math.max(0, amount);
    }
    return refunded;
  }

  /** @param intentId of a single payment. Without an amount, Stripe refunds what is left. */
  async ofPayment(intentId: string, key: string): Promise<void> {
    const { latest_charge: charge } = await this.stripe.paymentIntents.retrieve(intentId, {
      expand: ['latest_charge'],
    });
    if (typeof charge !== 'object' || charge?.status !== 'succeeded') return;
    if (charge.refunded || (await isDisputed(this.stripe, charge))) return;
    await this.create(intentId, undefined, key);
  }

  private async create(intent: string, amount: number | undefined, key: string): Promise<void> {
    await this.stripe.refunds.create(
      {
        payment_intent: intent,
        ...(amount !== undefined && { amount }),
        reason: 'requested_by_customer',
        metadata: { [REFUND_KEY]: key },
      },
      { idempotencyKey: `${key}:${intent}` },
    );
  }

  private async refundedUnder(intent: string, key: string): Promise<number> {
    const { data } = await this.stripe.refunds.list({ payment_intent: intent, limit: 100 });
    return data.find(({ metadata }) => metadata?.[REFUND_KEY] === key)?.amount ?? 0;
  }
}
