import { inSeconds } from '@clearframe/contract';
import { newId, newSecret } from '../../core/ids.js';
import type { Transaction } from '../../core/ledger.js';
import { notFound, unprocessable } from '../model/errors.js';
import { emit } from '../model/events.js';
import { type ApprovalUrls, findStored, linkTo, moneyOf, type Order, saveStored, timeOf } from '../model/objects.js';
import { createCapture } from './captures.js';
import { presentOrder } from './order-view.js';

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
