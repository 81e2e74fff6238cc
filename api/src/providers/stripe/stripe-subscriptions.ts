import type Stripe from 'stripe';
import type { CardSubscription, InvoicePayment, SubscriptionSnapshot } from '../payment-provider.js';
import { idOf, isDeclined, isRejected, isUnknownId } from './stripe-client.js';
import type { StripePrices } from './stripe-prices.js';
import { INTRO_PRICE, REFERENCE, type StripeReader } from './stripe-reader.js';

/** Changes of subscriptions. Each returns the state after it. */
export class StripeSubscriptions {
  constructor(
    private readonly stripe: Stripe,
    private readonly reader: StripeReader,
    private readonly prices: StripePrices,
  ) {}

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
    return this.reader.subscription(id);
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
    return this.reader.subscription(subscriptionId);
  }

  async voidIncomplete(id: string, key: string): Promise<SubscriptionSnapshot> {
    const { status, latest_invoice: invoice } = await this.stripe.subscriptions.retrieve(id);
    const invoiceId = idOf(invoice);
    if (status === 'incomplete' && invoiceId !== null) {
      // Rejected when the invoice has just been paid.
      await this.stripe.invoices.voidInvoice(invoiceId, {}, { idempotencyKey: key }).catch(ignoreRejection);
    }
    return this.reader.subscription(id);
  }

  async setCancelAtPeriodEnd(id: string, cancel: boolean, key: string): Promise<SubscriptionSnapshot> {
    await this.stripe.subscriptions.update(id, { cancel_at_period_end: cancel }, { idempotencyKey: key });
    return this.reader.subscription(id);
  }

  async end(id: string): Promise<SubscriptionSnapshot> {
    // A repeated DELETE responds with 404 for a subscription that has ended; an unknown one has no state to read.
    await this.stripe.subscriptions.cancel(id, { prorate: false, invoice_now: false }).catch(ignoreUnknown);
    return this.reader.subscription(id);
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
