import type Stripe from 'stripe';
import {
  type PaymentMethod,
  type PaymentPage,
  type PaymentSnapshot,
  returnUrlsOf,
  type SetupPage,
} from '../payment-provider.js';
import { currencyOf, idOf, isRejected, METHOD_TYPES, REFERENCE } from './stripe-client.js';

/** Replaced by Stripe in the address of a return. */
const SESSION_ID = '{CHECKOUT_SESSION_ID}';

const isOf = (kind: 'cs' | 'seti', id: string): boolean => id.replace(/^sbx_/, '').startsWith(`${kind}_`);

export const isSession = (id: string): boolean => isOf('cs', id);

/**
 * Stripe's own payment pages, for buyers without JavaScript. The return names the session where the form in the browser
 * names the intent.
 */
export class StripeCheckout {
  constructor(private readonly stripe: Stripe) {}

  async setupPage({ customerId, returnUrl, key }: SetupPage): Promise<string> {
    const session = await this.stripe.checkout.sessions.create(
      {
        mode: 'setup',
        customer: customerId,
        allowed_payment_method_types: METHOD_TYPES,
        ...sessionUrlsOf(returnUrl, 'setup_intent'),
      },
      { idempotencyKey: key },
    );
    return urlOf(session);
  }

  async paymentPage({ customerId, priceId, reference, returnUrl, key }: PaymentPage) {
    const metadata = { [REFERENCE]: reference };
    const session = await this.stripe.checkout.sessions.create(
      {
        mode: 'payment',
        customer: customerId,
        line_items: [{ price: priceId, quantity: 1 }],
        allowed_payment_method_types: METHOD_TYPES,
        // The amount and currency must be those of the catalogue.
        adaptive_pricing: { enabled: false },
        metadata,
        payment_intent_data: { metadata },
        ...sessionUrlsOf(returnUrl, 'payment_intent'),
      },
      { idempotencyKey: key },
    );
    return { id: session.id, url: urlOf(session) };
  }

  /** @param id of a payment method, setup intent or session @throws the SDK's error for an unknown id */
  async paymentMethod(id: string): Promise<PaymentMethod | null> {
    const method = await this.methodOf(id);
    return (
      method && { id: method.id, customerId: idOf(method.customer), fingerprint: method.card?.fingerprint ?? null }
    );
  }

  /** With its intent and charge. @throws the SDK's error for an unknown id */
  read(sessionId: string): Promise<Stripe.Checkout.Session> {
    return this.stripe.checkout.sessions.retrieve(sessionId, { expand: ['payment_intent.latest_charge'] });
  }

  /** @returns null for a session that is unpaid */
  async intentOf(paymentId: string): Promise<string | null> {
    if (!isSession(paymentId)) return paymentId;
    return idOf((await this.stripe.checkout.sessions.retrieve(paymentId)).payment_intent);
  }

  /** Rejected for a payment that has just been made or is final. */
  async cancel(id: string, key: string): Promise<void> {
    const options = { idempotencyKey: key };
    const canceled = isSession(id)
      ? this.stripe.checkout.sessions.expire(id, {}, options)
      : this.stripe.paymentIntents.cancel(id, {}, options);
    await canceled.catch((error: unknown) => {
      if (!isRejected(error)) throw error;
    });
  }

  private async methodOf(id: string): Promise<Stripe.PaymentMethod | null> {
    if (isSession(id)) {
      const expand = ['setup_intent.payment_method'];
      const { setup_intent: intent } = await this.stripe.checkout.sessions.retrieve(id, { expand });
      return methodIn(intent);
    }
    if (!isOf('seti', id)) return this.stripe.paymentMethods.retrieve(id);
    return methodIn(await this.stripe.setupIntents.retrieve(id, { expand: ['payment_method'] }));
  }
}

export function unpaidSnapshot(session: Stripe.Checkout.Session): PaymentSnapshot {
  const { id, customer, status, amount_total: amount, currency, metadata } = session;
  return {
    id,
    provider: 'stripe',
    customerId: idOf(customer),
    reference: metadata?.[REFERENCE] ?? null,
    status: status === 'expired' ? 'canceled' : 'pending',
    amountCents: amount ?? 0,
    currency: currencyOf(currency ?? ''),
    refundedCents: 0,
    isDisputed: false,
    payerEmail: null,
  };
}

/** Null until the payer has saved one. @param intent expanded */
function methodIn(intent: Stripe.SetupIntent | string | null): Stripe.PaymentMethod | null {
  if (intent === null || typeof intent === 'string' || intent.status !== 'succeeded') return null;
  return typeof intent.payment_method === 'object' ? intent.payment_method : null;
}

function sessionUrlsOf(returnUrl: string, name: 'setup_intent' | 'payment_intent') {
  const { succeeded, canceled } = returnUrlsOf(returnUrl);
  return { success_url: `${succeeded}&${name}=${SESSION_ID}`, cancel_url: canceled };
}

function urlOf({ id, url }: Stripe.Checkout.Session): string {
  if (url === null) throw new Error(`the checkout session ${id} has no page`);
  return url;
}
