import { inSeconds } from '@clearframe/contract';
import { newId, newSecret } from '../core/ids.js';
import type { Transaction } from '../core/ledger.js';
import { invalidRequest } from './errors.js';
import { emit } from './events.js';
import {
  type CheckoutSession,
  findObject,
  type Metadata,
  type PaymentIntent,
  type Price,
  type SetupIntent,
  saveObject,
} from './objects.js';
import { cancelIntent, createPaymentIntent, createSetupIntent } from './payments.js';

const SESSION_SECONDS = inSeconds.hours(24);

/** Part of return URLs, replaced by the session's id. */
export const SESSION_ID = '{CHECKOUT_SESSION_ID}';

interface SessionOrder {
  readonly customer: string;
  readonly successUrl: string;
  readonly cancelUrl: string | null;
  readonly metadata: Metadata;
  readonly intentMetadata: Metadata;
  /** Null to save a card. */
  readonly price: Price | null;
}

export async function createSession(tx: Transaction, order: SessionOrder, pageUrl: string): Promise<CheckoutSession> {
  // The id authorizes payments on the page.
  const id = `${newId('cs')}${newSecret()}`;
  const { customer, price, intentMetadata } = order;
  const setup = price
    ? null
    : await createSetupIntent(tx, { customer, metadata: intentMetadata, usage: 'off_session', session: id });
  const expiresAt = tx.now + SESSION_SECONDS;
  const session: CheckoutSession = {
    id,
    object: 'checkout.session',
    livemode: false,
    created: tx.now,
    mode: price ? 'payment' : 'setup',
    status: 'open',
    payment_status: price ? 'unpaid' : 'no_payment_required',
    customer,
    currency: price?.currency ?? null,
    amount_subtotal: price?.unit_amount ?? null,
    amount_total: price?.unit_amount ?? null,
    payment_intent: null,
    setup_intent: setup?.id ?? null,
    success_url: order.successUrl,
    cancel_url: order.cancelUrl,
    url: `${pageUrl}?${new URLSearchParams({ session: id })}`,
    expires_at: expiresAt,
    metadata: order.metadata,
    _intentMetadata: intentMetadata,
  };
  return saveObject(tx, session, expiresAt);
}

/** What the page confirms. A payment's intent is created when the payer submits the page first. */
export async function intentOfSession(tx: Transaction, session: CheckoutSession): Promise<SetupIntent | PaymentIntent> {
  const { setup_intent: setup, payment_intent: payment, customer, amount_total: amount, currency } = session;
  if (setup !== null) return required(await findObject(tx, 'setup_intent', setup));
  if (payment !== null) return required(await findObject(tx, 'payment_intent', payment));
  const intent = await createPaymentIntent(tx, {
    amount: required(amount),
    currency: required(currency),
    customer,
    metadata: session._intentMetadata,
    session: session.id,
    expires: false,
  });
  await saveObject(tx, { ...session, payment_intent: intent.id }, session.expires_at);
  return intent;
}

export async function completeSessionOf(tx: Transaction, intent: SetupIntent | PaymentIntent): Promise<void> {
  const session = intent._session === null ? null : await findObject(tx, 'checkout.session', intent._session);
  if (session?.status !== 'open') return;
  const paid = session.mode === 'payment' ? ('paid' as const) : session.payment_status;
  const complete = { ...session, status: 'complete' as const, payment_status: paid, url: null };
  await saveObject(tx, complete);
  await emit(tx, 'checkout.session.completed', complete);
}

/** Ends a session on request or after its time. @throws StripeError unless it is open */
export async function expireSession(tx: Transaction, session: CheckoutSession): Promise<CheckoutSession> {
  if (session.status !== 'open') {
    const message = `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}`;
    throw invalidRequest('resource_invalid_state', message);
  }
  const expired = await saveObject(tx, { ...session, status: 'expired' as const, url: null });
  await emit(tx, 'checkout.session.expired', expired);
  const { setup_intent: setup, payment_intent: payment } = session;
  if (setup !== null) await cancelIntent(tx, required(await findObject(tx, 'setup_intent', setup)));
  if (payment !== null) await cancelIntent(tx, required(await findObject(tx, 'payment_intent', payment)));
  return expired;
}

function required<Value>(value: Value | null): Value {
  if (value === null) throw new Error('a checkout session without its intent or price');
  return value;
}
