import { inSeconds } from '@clearframe/contract';
import { newClientSecret, newId } from '../core/ids.js';
import type { Reader, Transaction } from '../core/ledger.js';
import { declineBody, invalidRequest, noSuch } from './errors.js';
import { emit } from './events.js';
import {
  type Charge,
  findObject,
  listObjects,
  type PaymentIntent,
  type PaymentMethod,
  type Refund,
  type SetupIntent,
  saveObject,
} from './objects.js';

/** Time until an unpaid or unconfirmed intent is cancelled. */
const INTENT_SECONDS = inSeconds.hours(24);

interface IntentOrder {
  readonly customer: string | null;
  readonly description?: string | null;
  readonly metadata: Record<string, string>;
  readonly payment_method_types?: string[];
  /** Checkout session that owns the intent and expires in its place. */
  readonly session?: string;
}

const intentOf = (tx: Transaction, kind: 'seti' | 'pi', order: IntentOrder) => {
  const id = newId(kind);
  return {
    id,
    livemode: false as const,
    created: tx.now,
    client_secret: newClientSecret(id),
    customer: order.customer,
    status: 'requires_payment_method' as const,
    payment_method: null,
    next_action: null,
    description: order.description ?? null,
    metadata: order.metadata,
    payment_method_types: order.payment_method_types ?? ['card'],
    _nextAt: order.session === undefined ? tx.now + INTENT_SECONDS : null,
    _session: order.session ?? null,
  };
};

export function createSetupIntent(
  tx: Transaction,
  order: IntentOrder & { usage: SetupIntent['usage'] },
): Promise<SetupIntent> {
  const intent: SetupIntent = {
    ...intentOf(tx, 'seti', order),
    object: 'setup_intent',
    usage: order.usage,
    last_setup_error: null,
    latest_attempt: null,
  };
  return saveObject(tx, intent, intent._nextAt);
}

export function createPaymentIntent(
  tx: Transaction,
  order: IntentOrder & Pick<PaymentIntent, 'amount' | 'currency'> & { receipt_email?: string | null; expires: boolean },
): Promise<PaymentIntent> {
  const base = intentOf(tx, 'pi', order);
  const intent: PaymentIntent = {
    ...base,
    object: 'payment_intent',
    amount: order.amount,
    amount_received: 0,
    currency: order.currency,
    latest_charge: null,
    last_payment_error: null,
    receipt_email: order.receipt_email ?? null,
    _nextAt: order.expires ? base._nextAt : null,
  };
  return saveObject(tx, intent, intent._nextAt);
}

/** Charges a payment method for an intent. @returns the reason of a failure, or null */
export async function chargeIntent(
  tx: Transaction,
  intent: PaymentIntent,
  method: PaymentMethod,
): Promise<string | null> {
  const failure = method._declineCode;
  const charge = await saveObject<Charge>(tx, {
    id: newId('ch'),
    object: 'charge',
    livemode: false,
    created: tx.now,
    amount: intent.amount,
    amount_captured: failure === null ? intent.amount : 0,
    amount_refunded: 0,
    refunded: false,
    captured: failure === null,
    paid: failure === null,
    disputed: false,
    status: failure === null ? 'succeeded' : 'failed',
    failure_code: failure,
    currency: intent.currency,
    customer: intent.customer,
    payment_intent: intent.id,
    payment_method: method.id,
    metadata: intent.metadata,
  });
  intent.latest_charge = charge.id;
  intent.next_action = null;
  if (failure !== null) {
    await failIntent(tx, intent, failure);
    return failure;
  }
  Object.assign(intent, {
    status: 'succeeded',
    payment_method: method.id,
    amount_received: intent.amount,
    last_payment_error: null,
    _nextAt: null,
  });
  await saveObject(tx, intent);
  await emit(tx, 'payment_intent.succeeded', intent);
  return null;
}

/** Waits for another payment method. */
export async function failIntent(tx: Transaction, intent: PaymentIntent | SetupIntent, reason: string): Promise<void> {
  intent.status = 'requires_payment_method';
  intent.next_action = null;
  if (intent.object === 'setup_intent') intent.last_setup_error = declineBody(reason);
  else intent.last_payment_error = declineBody(reason);
  await saveObject(tx, intent, intent._nextAt);
  const type = intent.object === 'setup_intent' ? 'setup_intent.setup_failed' : 'payment_intent.payment_failed';
  await emit(tx, type, intent);
}

export async function cancelIntent(tx: Transaction, intent: PaymentIntent | SetupIntent): Promise<void> {
  intent.status = 'canceled';
  intent._nextAt = null;
  await saveObject(tx, intent);
  await emit(tx, `${intent.object}.canceled`, intent);
}

export async function requirePaymentMethod(
  reader: Reader,
  id: string,
  customer: string,
  param: string,
): Promise<PaymentMethod> {
  const method = await findObject(reader, 'payment_method', id);
  if (!method) throw noSuch('PaymentMethod', id, param, 400);
  if (method.customer === customer) return method;
  throw invalidRequest(
    'resource_missing',
    `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
    param,
  );
}

/** Refunds part of a charge. Nothing of a disputed one can be refunded. */
export async function refundPayment(
  tx: Transaction,
  intent: PaymentIntent,
  order: { amount?: number | undefined; reason?: string | undefined; metadata: Record<string, string> },
  subjectId: string,
): Promise<Refund> {
  const charge = intent.latest_charge === null ? null : await findObject(tx, 'charge', intent.latest_charge);
  if (charge?.status !== 'succeeded') {
    const message = 'This PaymentIntent does not have a successful charge to refund.';
    throw invalidRequest('payment_intent_unexpected_state', message, 'payment_intent');
  }
  const disputes = await listObjects(tx, 'dispute', { charge: charge.id });
  if (disputes.some(({ status }) => status !== 'won'))
    throw invalidRequest('charge_disputed', `Charge ${charge.id} has been charged back.`);
  const left = charge.amount - charge.amount_refunded;
  if (left <= 0) {
    throw invalidRequest('charge_already_refunded', `Charge ${charge.id} has already been refunded.`);
  }
  const amount = order.amount ?? left;
  if (amount > left) {
    const message = `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`;
    throw invalidRequest('amount_too_large', message, 'amount');
  }
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  await saveObject(tx, charge);
  const refund = await saveObject<Refund>(tx, {
    id: newId('re'),
    object: 'refund',
    livemode: false,
    created: tx.now,
    amount,
    currency: charge.currency,
    charge: charge.id,
    payment_intent: intent.id,
    reason: order.reason ?? null,
    status: 'succeeded',
    metadata: order.metadata,
  });
  await emit(tx, 'charge.refunded', charge, subjectId);
  return refund;
}

/** The subscription that an intent's invoice belongs to, else the intent itself. */
export async function subjectOfIntent(reader: Reader, intentId: string): Promise<string> {
  const [invoice] = await listObjects(reader, 'invoice', { 'payments.data.0.payment.payment_intent': intentId });
  return invoice?.parent.subscription_details.subscription ?? intentId;
}
