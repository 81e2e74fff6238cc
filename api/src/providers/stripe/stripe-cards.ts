import { Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import {
  CardProvider,
  type CardSubscription,
  type EventHeaders,
  type InvoicePayment,
  type PaymentMethod,
  type PaymentOrder,
  type PaymentPage,
  type PaymentSnapshot,
  type ProviderEvent,
  type SetupPage,
  type SubscriptionSnapshot,
} from '../payment-provider.js';
import { StripeConfig } from './stripe.config.js';
import { isSession, StripeCheckout } from './stripe-checkout.js';
import { callStripe, createStripe, METHOD_TYPES, orNull } from './stripe-client.js';
import { subjectOf, verifiedEvent } from './stripe-events.js';
import { StripePrices } from './stripe-prices.js';
import { REFERENCE, StripeReader } from './stripe-reader.js';
import { StripeRefunds } from './stripe-refunds.js';
import { StripeSubscriptions } from './stripe-subscriptions.js';

@Injectable()
export class StripeCards extends CardProvider {
  override readonly name = 'stripe';
  private readonly stripe: Stripe;
  private readonly reader: StripeReader;
  private readonly checkout: StripeCheckout;
  private readonly refunds: StripeRefunds;
  private readonly subscriptions: StripeSubscriptions;

  constructor(
    private readonly config: StripeConfig,
    prices: StripePrices,
  ) {
    super();
    this.stripe = createStripe(config);
    this.reader = new StripeReader(this.stripe, prices);
    this.checkout = new StripeCheckout(this.stripe, this.reader);
    this.refunds = new StripeRefunds(this.stripe, this.reader);
    this.subscriptions = new StripeSubscriptions(this.stripe, this.reader, prices);
  }

  override publishableKey(): string {
    return this.config.publishableKey;
  }

  override browserForm(): { readonly publishableKey: string; readonly scriptUrl: string } | null {
    const { publishableKey, scriptUrl } = this.config;
    return scriptUrl === null ? null : { publishableKey, scriptUrl };
  }

  override createSetupPage(page: SetupPage): Promise<string> {
    return callStripe(() => this.checkout.setupPage(page));
  }

  override createPaymentPage(page: PaymentPage) {
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
        { customer: customerId, usage: 'off_session', allowed_payment_method_types: METHOD_TYPES },
        { idempotencyKey: key },
      );
      return { clientSecret: secretOf(intent) };
    });
  }

  override readPaymentMethod(id: string): Promise<PaymentMethod | null> {
    return callStripe(() => orNull(this.checkout.paymentMethod(id)));
  }

  override createPaymentIntent(order: PaymentOrder) {
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

  override createSubscription(order: CardSubscription): Promise<SubscriptionSnapshot> {
    return callStripe(() => this.subscriptions.create(order));
  }

  override payOpenInvoice(order: InvoicePayment): Promise<SubscriptionSnapshot> {
    return callStripe(() => this.subscriptions.payOpenInvoice(order));
  }

  override voidIncompleteSubscription(id: string, key: string): Promise<SubscriptionSnapshot> {
    return callStripe(() => this.subscriptions.voidIncomplete(id, key));
  }

  override setCancelAtPeriodEnd(id: string, cancel: boolean, key: string): Promise<SubscriptionSnapshot> {
    return callStripe(() => this.subscriptions.setCancelAtPeriodEnd(id, cancel, key));
  }

  override endSubscription(id: string, _key: string): Promise<SubscriptionSnapshot> {
    return callStripe(() => this.subscriptions.end(id));
  }

  override listSubscriptions(customerId: string): Promise<readonly SubscriptionSnapshot[]> {
    return callStripe(() => this.reader.subscriptionsOf(customerId));
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
    return callStripe(async () => {
      const intent = await orNull(this.stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }));
      return intent && this.reader.payment(intent);
    });
  }

  override refundSubscription(id: string, amountCents: number, key: string): Promise<number> {
    return callStripe(() => this.refunds.ofSubscription(id, amountCents, key));
  }

  override refundPayment(id: string, key: string): Promise<void> {
    return callStripe(async () => {
      const intentId = await this.checkout.intentOf(id);
      if (intentId !== null) await this.refunds.ofPayment(intentId, key);
    });
  }

  override async readEvent(rawBody: Buffer, headers: EventHeaders): Promise<ProviderEvent | null> {
    const event = verifiedEvent(this.stripe, rawBody, headers['stripe-signature'], this.config.webhookSecret);
    if (!event) return null;
    return callStripe(async () => ({ id: event.id, type: event.type, subject: await subjectOf(this.stripe, event) }));
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
