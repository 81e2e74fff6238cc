import { inSeconds } from '@clearframe/contract';
import { newId, newSecret } from '../core/ids.js';
import { type Reader, type Transaction, withoutInternals } from '../core/ledger.js';
import { notFound, unprocessable } from './errors.js';
import { emit } from './events.js';
import {
  type ApprovalUrls,
  type Capture,
  findStored,
  linkTo,
  listStored,
  moneyOf,
  type Order,
  type Refund,
  saveStored,
  timeOf,
} from './objects.js';

async function presentOrder(reader: Reader, order: Order): Promise<Order> {
  const captures = await listStored(reader, 'capture', { _subject: order.id });
  const lists = await Promise.all(captures.map(({ id }) => listStored(reader, 'refund', { _capture: id })));
  const refunds = lists.flat();
  const [unit] = order.purchase_units;
  if (captures.length === 0) return order;
  const payments = {
    captures: withoutInternals(captures),
    ...(refunds.length > 0 && { refunds: withoutInternals(refunds) }),
  };
  return { ...order, purchase_units: [{ ...unit, payments }] };
}

interface Payment {
  readonly subject: string;
  readonly customId: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly isDeclined: boolean;
  /** Null for a subscription. */
  readonly orderId: string | null;
}

export function createCapture(tx: Transaction, payment: Payment): Promise<Capture> {
  const { subject, customId, amountCents, currency, isDeclined, orderId } = payment;
  const id = newId('txn');
  return saveStored(tx, 'capture', {
    id,
    status: isDeclined ? 'DECLINED' : 'COMPLETED',
    amount: moneyOf(amountCents, currency),
    custom_id: customId,
    final_capture: true,
    ...(orderId !== null && { supplementary_data: { related_ids: { order_id: orderId } } }),
    create_time: timeOf(tx.now),
    update_time: timeOf(tx.now),
    links: [
      linkTo('self', `/v2/payments/captures/${id}`),
      linkTo('refund', `/v2/payments/captures/${id}/refund`, 'POST'),
      ...(orderId === null ? [] : [linkTo('up', `/v2/checkout/orders/${orderId}`)]),
    ],
    _subject: subject,
    _amountCents: amountCents,
    _refundedCents: 0,
    _isDisputed: false,
    _createdAt: tx.now,
  });
}

interface RefundRequest {
  /** Null for the rest of the amount. */
  readonly amountCents: number | null;
  readonly currency?: string;
  readonly customId?: string | undefined;
}

/** @throws PayPalError for more than the refundable amount, and for a disputed capture */
export async function refundCapture(
  tx: Transaction,
  capture: Capture,
  { amountCents, currency = capture.amount.currency_code, customId }: RefundRequest,
): Promise<Refund> {
  const left = capture.status === 'DECLINED' ? 0 : capture._amountCents - capture._refundedCents;
  const cents = amountCents ?? left;
  if (currency !== capture.amount.currency_code) {
    throw unprocessable('CURRENCY_MISMATCH', 'The currency of the refund must be that of the capture.');
  }
  if (capture._isDisputed) throw unprocessable('REFUND_NOT_ALLOWED', 'The transaction has an open dispute.');
  if (left === 0) throw unprocessable('CAPTURE_FULLY_REFUNDED', 'The capture has already been fully refunded.');
  if (cents <= 0) throw unprocessable('INVALID_CURRENCY_AMOUNT', 'The amount must be positive.');
  if (cents > left) throw unprocessable('REFUND_AMOUNT_EXCEEDED', 'The refund exceeds the refundable amount.');
  capture._refundedCents += cents;
  capture.status = cents === left ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  capture.update_time = timeOf(tx.now);
  await saveStored(tx, 'capture', capture);
  const id = newId('rfd');
  const refund = await saveStored(tx, 'refund', {
    id,
    status: 'COMPLETED',
    amount: moneyOf(cents, currency),
    ...(customId !== undefined && { custom_id: customId }),
    seller_payable_breakdown: { total_refunded_amount: moneyOf(capture._refundedCents, currency) },
    create_time: timeOf(tx.now),
    update_time: timeOf(tx.now),
    links: [linkTo('self', `/v2/payments/refunds/${id}`), linkTo('up', `/v2/payments/captures/${capture.id}`)],
    _capture: capture.id,
  });
  await updateOrderOf(tx, capture);
  await emit(tx, 'PAYMENT.CAPTURE.REFUNDED', { type: 'refund', resource: refund }, capture._subject);
  return refund;
}

/** Orders present their captures and refunds. */
async function updateOrderOf(tx: Transaction, capture: Capture): Promise<void> {
  const order = await findStored(tx, 'order', capture._subject);
  if (order) await saveStored(tx, 'order', await presentOrder(tx, order));
}

/** Time until an order that isn't captured is voided. */
const ORDER_HOURS = 24;
const SANDBOX_PAYER = 'payer@sandbox.example';
/** A different account at each approval. */
export const newPayerId = (): string => newSecret().slice(0, 13).toUpperCase();

export interface NewOrder {
  readonly amountCents: number;
  readonly currency: string;
  /** `{userId}-{suffix}`. */
  readonly customId: string;
}

export function createOrder(
  tx: Transaction,
  merchantId: string,
  { amountCents, currency, customId }: NewOrder,
  approval: (ApprovalUrls & { readonly pageUrl: string }) | null = null,
): Promise<Order> {
  const id = newId('ch');
  const now = timeOf(tx.now);
  const page = approval && linkTo('payer-action', `${approval.pageUrl}?${new URLSearchParams({ token: id })}`);
  return saveOrder(tx, {
    id,
    intent: 'CAPTURE',
    status: 'PAYER_ACTION_REQUIRED',
    purchase_units: [
      {
        reference_id: 'default',
        amount: moneyOf(amountCents, currency),
        payee: { merchant_id: merchantId },
        custom_id: customId,
      },
    ],
    create_time: now,
    update_time: now,
    links: [
      linkTo('self', `/v2/checkout/orders/${id}`),
      ...(page ? [page] : []),
      linkTo('capture', `/v2/checkout/orders/${id}/capture`, 'POST'),
    ],
    _approval: approval && { returnUrl: approval.returnUrl, cancelUrl: approval.cancelUrl },
  });
}

/** No effect on an order in another state. */
export async function approveOrder(tx: Transaction, order: Order, payerEmail = SANDBOX_PAYER): Promise<void> {
  if (order.status !== 'PAYER_ACTION_REQUIRED') return;
  order.status = 'APPROVED';
  order.payer = { email_address: payerEmail, payer_id: newPayerId() };
  order.update_time = timeOf(tx.now);
  await saveOrder(tx, order);
  await emitOrder(tx, 'CHECKOUT.ORDER.APPROVED', order);
}

export async function captureOrder(tx: Transaction, id: string): Promise<Order> {
  const order = await findStored(tx, 'order', id);
  if (!order) throw notFound();
  if (order.status === 'COMPLETED') {
    throw unprocessable('ORDER_ALREADY_CAPTURED', 'Order already captured.');
  }
  if (order.status !== 'APPROVED') {
    throw unprocessable('ORDER_NOT_APPROVED', 'Payer has not yet approved the Order for payment.');
  }
  const [{ amount, custom_id: customId }] = order.purchase_units;
  const capture = await createCapture(tx, {
    subject: id,
    customId,
    amountCents: Math.round(Number(amount.value) * 100),
    currency: amount.currency_code,
    isDeclined: false,
    orderId: id,
  });
  order.status = 'COMPLETED';
  order.update_time = timeOf(tx.now);
  const captured = await saveOrder(tx, await presentOrder(tx, order));
  await emit(tx, 'PAYMENT.CAPTURE.COMPLETED', { type: 'capture', resource: capture }, id);
  return captured;
}

export async function voidOrder(tx: Transaction, id: string): Promise<void> {
  const order = await findStored(tx, 'order', id);
  if (order?.status !== 'APPROVED') return;
  order.status = 'VOIDED';
  order.update_time = timeOf(tx.now);
  await saveOrder(tx, order);
  await emit(
    tx,
    'CHECKOUT.PAYMENT-APPROVAL.REVERSED',
    { type: 'checkout-order', resource: { order_id: id, purchase_units: order.purchase_units } },
    id,
  );
}

const emitOrder = (tx: Transaction, type: string, order: Order): Promise<void> =>
  emit(tx, type, { type: 'checkout-order', resource: order }, order.id);

const saveOrder = (tx: Transaction, order: Order): Promise<Order> =>
  saveStored(tx, 'order', order, order.status === 'APPROVED' ? tx.now + inSeconds.hours(ORDER_HOURS) : null);
