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
import { isSession, StripeCheckout, unpaidSnapshot } from './stripe-checkout.js';
import {
  callStripe,
  createRefund,
  createStripe,
  currencyOf,
  idOf,
  isDisputed,
  METHOD_TYPES,
  orNull,
  REFERENCE,
} from './stripe-client.js';
import { subjectOf, verifiedEvent } from './stripe-events.js';
import { StripePrices } from './stripe-prices.js';
import { StripeSubscriptions } from './stripe-subscriptions.js';

const PAYMENT_STATUS: Readonly<Record<string, PaymentSnapshot['status']>> = {
  succeeded: 'succeeded',
  canceled: 'canceled',
};

@Injectable()
export class StripeCards extends CardProvider {
  override readonly name = 'stripe';
  private readonly stripe: Stripe;
  private readonly checkout: StripeCheckout;
  private readonly subscriptions: StripeSubscriptions;

  constructor(
    private readonly config: StripeConfig,
    prices: StripePrices,
  ) {
    super();
    this.stripe = createStripe(config);
    this.checkout = new StripeCheckout(this.stripe);
    this.subscriptions = new StripeSubscriptions(this.stripe, prices);
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
    return callStripe(() => this.subscriptions.listOf(customerId));
  }

  override openPortal(customerId: string): Promise<string> {
    return callStripe(async () => {
      const session = { customer: customerId, return_url: this.config.portalReturnUrl };
      return (await this.stripe.billingPortal.sessions.create(session)).url;
    });
  }

  override readSubscription(id: string): Promise<SubscriptionSnapshot | null> {
    return callStripe(() => orNull(this.subscriptions.read(id)));
  }

  override readPayment(id: string): Promise<PaymentSnapshot | null> {
    return callStripe(async () => {
      if (!isSession(id)) {
        const intent = await orNull(this.retrieveIntent(id));
        return intent && this.snapshotOf(intent);
      }
      const session = await orNull(this.checkout.read(id));
      const intent = session?.payment_intent;
      const isPaid = typeof intent === 'object' && intent?.status === 'succeeded';
      return isPaid ? { ...(await this.snapshotOf(intent)), id } : session && unpaidSnapshot(session);
    });
  }

  private retrieveIntent(id: string): Promise<Stripe.PaymentIntent> {
    return this.stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
  }

  /** @param intent with `latest_charge` expanded */
  private async snapshotOf(intent: Stripe.PaymentIntent): Promise<PaymentSnapshot> {
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
      isDisputed: charge !== null && (await isDisputed(this.stripe, charge)),
      payerEmail: intent.receipt_email,
    };
  }

  override refundSubscription(id: string, amountCents: number, key: string): Promise<number> {
    return callStripe(() => this.subscriptions.refund(id, amountCents, key));
  }

  override refundPayment(id: string, key: string): Promise<void> {
    return callStripe(async () => {
      const intent = await this.checkout.intentOf(id);
      if (intent === null) return;
      const charge = chargeIn(await this.retrieveIntent(intent));
      if (charge?.status !== 'succeeded' || charge.refunded) return;
      if (!(await isDisputed(this.stripe, charge))) await createRefund(this.stripe, { intent, key });
    });
  }

  override async readEvent(rawBody: Buffer, headers: EventHeaders): Promise<ProviderEvent | null> {
    const event = verifiedEvent(this.stripe, rawBody, headers['stripe-signature'], this.config.webhookSecret);
    if (!event) return null;
    return callStripe(async () => ({ id: event.id, type: event.type, subject: await subjectOf(this.stripe, event) }));
  }
}

const chargeIn = ({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge | null =>
  typeof charge === 'object' ? charge : null;

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
