import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import {
  CardProvider,
  PaymentDeclined,
  type PaymentMethod,
  type PaymentSnapshot,
  type ProviderEvent,
  type SubscriptionSnapshot,
} from '../port/payment-provider.js';
import { StripeConfig } from './stripe.config.js';
import { isSession, StripeCheckout } from './stripe-checkout.js';
import { callStripe, createStripe, idOf, isRejected, isUnknownId, orNull } from './stripe-client.js';
import { subjectOf, verifiedEvent } from './stripe-events.js';
import { StripePrices } from './stripe-prices.js';
import { StripeReader } from './stripe-reader.js';
import { StripeRefunds } from './stripe-refunds.js';
import { INTRO_PRICE, paymentSnapshot, REFERENCE } from './stripe-snapshots.js';

const METHOD_TYPES: Stripe.PaymentIntentCreateParams['allowed_payment_method_types'] = ['card', 'paypal'];

type SubscriptionOrder = Parameters<CardProvider['createSubscription']>[0];

@Injectable()
export class StripeCards extends CardProvider {
  override readonly name = 'stripe';
  private readonly stripe: Stripe;
  private readonly reader: StripeReader;
  private readonly checkout: StripeCheckout;
  private readonly refunds: StripeRefunds;

  constructor(
    private readonly config: StripeConfig,
    private readonly prices: StripePrices,
  ) {
    super();
    this.stripe = createStripe(config);
    this.reader = new StripeReader(this.stripe, prices);
    this.checkout = new StripeCheckout(this.stripe);
    this.refunds = new StripeRefunds(this.stripe, this.reader);
  }

  override publishableKey(): string {
    return this.config.publishableKey;
  }

  override browserForm(): { readonly publishableKey: string; readonly scriptUrl: string } | null {
    const { publishableKey, scriptUrl } = this.config;
    return scriptUrl === null ? null : { publishableKey, scriptUrl };
  }

  override createSetupPage(page: Parameters<CardProvider['createSetupPage']>[0]): Promise<string> {
    return callStripe(() => this.checkout.setupPage(page));
  }

  override createPaymentPage(page: Parameters<CardProvider['createPaymentPage']>[0]) {
    return callStripe(() => this.checkout.paymentPage(page));
  }

  override isPaymentPage(id: string): boolean {
    return isSession(id);
  }

  override cancelPayment(id: string, key: string): Promise<void> {
    return callStripe(() => this.checkout.cancel(id, key));
  }

  override ensureCustomer({ id: userId, email }: { readonly id: string; readonly email: string | null }) {
    return callStripe(async () => {
      // The address may change, but parameters of a repeated key may not.
      const { id } = await this.stripe.customers.create(
        { metadata: { user_id: userId } },
        { idempotencyKey: `cus:${userId}` },
      );
      if (email !== null) await this.stripe.customers.update(id, { email });
      return id;
    });
  }

  override createSetupIntent(customerId: string, key: string): Promise<{ readonly clientSecret: string }> {
    return callStripe(async () => {
      const intent = await this.stripe.setupIntents.create(
        { customer: customerId, usage: 'off_session', allowed_payment_method_types: ['card', 'paypal'] },
        { idempotencyKey: key },
      );
      return { clientSecret: secretOf(intent) };
    });
  }

  override readPaymentMethod(id: string): Promise<PaymentMethod | null> {
    return callStripe(() => orNull(this.checkout.paymentMethod(id)));
  }

  override createPaymentIntent(order: Parameters<CardProvider['createPaymentIntent']>[0]) {
    const { customerId, amountCents, currency, reference, key } = order;
    return callStripe(async () => {
      const intent = await this.stripe.paymentIntents.create(
        {
          amount: amountCents,
          currency,
          customer: customerId,
          allowed_payment_method_types: METHOD_TYPES,
          metadata: { [REFERENCE]: reference },
        },
        { idempotencyKey: key },
      );
      return { id: intent.id, clientSecret: secretOf(intent) };
    });
  }

  override createSubscription(order: SubscriptionOrder): Promise<SubscriptionSnapshot> {
    const { customerId, priceId, introPriceId, trialDays, reference, failIfUnpaid, key } = order;
    return callStripe(async () => {
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
    });
  }

  override payOpenInvoice({ subscriptionId, paymentMethodId, key }: Parameters<CardProvider['payOpenInvoice']>[0]) {
    return callStripe(async () => {
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
    });
  }

  override voidIncompleteSubscription(id: string, key: string): Promise<SubscriptionSnapshot> {
    return callStripe(async () => {
      const { status, latest_invoice: invoice } = await this.stripe.subscriptions.retrieve(id);
      const invoiceId = idOf(invoice);
      if (status === 'incomplete' && invoiceId !== null) {
        // Rejected when the invoice has just been paid.
        await this.stripe.invoices.voidInvoice(invoiceId, {}, { idempotencyKey: key }).catch(ignoreRejection);
      }
      return this.reader.subscription(id);
    });
  }

  override listSubscriptions(customerId: string): Promise<readonly SubscriptionSnapshot[]> {
    return callStripe(() => this.reader.subscriptionsOf(customerId));
  }

  override setCancelAtPeriodEnd(id: string, cancel: boolean, key: string): Promise<SubscriptionSnapshot> {
    return callStripe(async () => {
      await this.stripe.subscriptions.update(id, { cancel_at_period_end: cancel }, { idempotencyKey: key });
      return this.reader.subscription(id);
    });
  }

  override openPortal(customerId: string): Promise<string> {
    return callStripe(async () => {
      const session = { customer: customerId, return_url: this.config.portalReturnUrl };
      return (await this.stripe.billingPortal.sessions.create(session)).url;
    });
  }

  override readSubscription(id: string): Promise<SubscriptionSnapshot | null> {
    return callStripe(() => orNull(this.reader.subscription(id)));
  }

  override async readPayment(id: string): Promise<PaymentSnapshot | null> {
    if (isSession(id)) return callStripe(() => orNull(this.checkout.payment(id)));
    const intent = await callStripe(() =>
      orNull(this.stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })),
    );
    return intent && paymentSnapshot(intent);
  }

  override endSubscription(id: string, _key: string): Promise<SubscriptionSnapshot> {
    return callStripe(async () => {
      // A repeated DELETE responds with 404 for a subscription that has ended; an unknown one has no state to read.
      await this.stripe.subscriptions.cancel(id, { prorate: false, invoice_now: false }).catch(ignoreUnknown);
      return this.reader.subscription(id);
    });
  }

  override refundSubscription(id: string, amountCents: number, key: string): Promise<number> {
    return callStripe(() => this.refunds.refund(id, amountCents, key));
  }

  override async readEvent(
    rawBody: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): Promise<ProviderEvent | null> {
    const event = verifiedEvent(this.stripe, rawBody, headers['stripe-signature'], this.config.webhookSecret);
    if (!event) return null;
    return callStripe(async () => ({ id: event.id, type: event.type, subject: await subjectOf(this.stripe, event) }));
  }

  /** Default method of the running subscription. */
  private async defaultMethodOf(customer: string): Promise<string | null> {
    const { data } = await this.stripe.subscriptions.list({ customer, limit: 100 });
    return data.map(({ default_payment_method: method }) => idOf(method)).find((id) => id !== null) ?? null;
  }

  private async payInvoice(invoiceId: string, paymentMethodId: string, key: string): Promise<boolean> {
    try {
      const order = { payment_method: paymentMethodId };
      await callStripe(() => this.stripe.invoices.pay(invoiceId, order, { idempotencyKey: key }));
      return true;
    } catch (error) {
      if (error instanceof PaymentDeclined) return false;
      if (!isRejected(error)) throw error;
      const invoice = await this.stripe.invoices.retrieve(invoiceId);
      if (invoice.status === 'open') throw error;
      return false;
    }
  }
}

function secretOf({
  id,
  client_secret: secret,
}: {
  readonly id: string;
  readonly client_secret: string | null;
}): string {
  if (secret === null) throw new Error(`the intent ${id} has no client secret`);
  return secret;
}

function ignoreUnknown(error: unknown): void {
  if (!isUnknownId(error)) throw error;
}

function ignoreRejection(error: unknown): void {
  if (!isRejected(error)) throw error;
}
