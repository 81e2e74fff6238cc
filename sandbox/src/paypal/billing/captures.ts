import { newId } from '../../core/ids.js';
import type { Transaction } from '../../core/ledger.js';
import { unprocessable } from '../model/errors.js';
import { emit } from '../model/events.js';
import { type Capture, findStored, linkTo, moneyOf, type Refund, saveStored, timeOf } from '../model/objects.js';
import { presentOrder } from './order-view.js';

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
