import Stripe from 'stripe';
import type { ProviderEvent } from '../payment-provider.js';
import { idOf } from './stripe-client.js';

const TOLERANCE_SECONDS = 300;

type Subject = ProviderEvent['subject'];

const subscriptionSubject = (id: string | null): Subject =>
  id === null ? null : { provider: 'stripe', kind: 'subscription', id };
const paymentSubject = (id: string | null): Subject =>
  id === null ? null : { provider: 'stripe', kind: 'payment', id };

/** The SDK throws another error for a scheme without a value. */
const SIGNATURE_HEADER = /^\w+=[^,]+(?:,\w+=[^,]+)*$/;

/** The SDK accepts timestamps in the future. */
const isFromFuture = (signature: string): boolean =>
  Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1] ?? 0) - Date.now() / 1000 > TOLERANCE_SECONDS;

/** Null for a signature that is invalid, or more than 300 s old or ahead. */
export function verifiedEvent(
  stripe: Stripe,
  rawBody: Buffer,
  signature: string | string[] | undefined,
  secret: string,
): Stripe.Event | null {
  if (typeof signature !== 'string' || !SIGNATURE_HEADER.test(signature) || isFromFuture(signature)) return null;
  try {
    return stripe.webhooks.constructEvent(rawBody, signature, secret, TOLERANCE_SECONDS);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null;
    throw error;
  }
}

/** What the product reads after an event; null when it needs to read nothing. */
export async function subjectOf(stripe: Stripe, event: Stripe.Event): Promise<Subject> {
  const { object } = event.data;
  switch (object.object) {
    case 'subscription':
      return subscriptionSubject(object.id);
    case 'invoice':
      return subscriptionSubject(idOf(object.parent?.subscription_details?.subscription));
    case 'payment_intent':
      return paymentSubject(object.id);
    case 'checkout.session':
      return object.mode === 'payment' ? paymentSubject(object.id) : null;
    case 'charge':
    case 'refund':
    case 'dispute':
      return subjectOfIntent(stripe, idOf(object.payment_intent));
    default:
      return null;
  }
}

/** The subscription whose invoice it paid, else the intent itself. */
async function subjectOfIntent(stripe: Stripe, intentId: string | null): Promise<Subject> {
  if (intentId === null) return null;
  const { data } = await stripe.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: intentId },
    limit: 1,
  });
  const invoiceId = idOf(data[0]?.invoice);
  if (invoiceId === null) return paymentSubject(intentId);
  const invoice = await stripe.invoices.retrieve(invoiceId);
  return subscriptionSubject(idOf(invoice.parent?.subscription_details?.subscription));
}
