import { newId } from '../core/ids.js';
import type { Transaction } from '../core/ledger.js';
import { invalidRequest } from './errors.js';
import {
  findObject,
  type Invoice,
  type PaymentIntent,
  type PaymentMethod,
  type Subscription,
  saveObject,
} from './objects.js';
import { chargeIntent, createPaymentIntent } from './payments.js';

/** For the running period. One without an amount is paid at once. */
export async function openInvoice(
  tx: Transaction,
  subscription: Subscription,
  amount: number,
  reason: Invoice['billing_reason'],
): Promise<Invoice> {
  const [item] = subscription.items.data;
  const { id: subscriptionId, customer, currency, metadata } = subscription;
  const id = newId('in');
  const intent =
    amount > 0 ? await createPaymentIntent(tx, { amount, currency, customer, metadata: {}, expires: false }) : null;
  const invoice: Invoice = {
    id,
    object: 'invoice',
    livemode: false,
    created: tx.now,
    customer,
    currency,
    status: intent ? 'open' : 'paid',
    billing_reason: reason,
    amount_due: amount,
    amount_paid: 0,
    amount_remaining: amount,
    subtotal: amount,
    total: amount,
    attempted: false,
    attempt_count: 0,
    period_start: item?.current_period_start ?? tx.now,
    period_end: item?.current_period_end ?? tx.now,
    parent: {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: { subscription: subscriptionId, metadata },
    },
    payments: {
      object: 'list',
      url: `/v1/invoice_payments?invoice=${id}`,
      has_more: false,
      data: intent ? [paymentOf(tx, id, intent)] : [],
    },
    confirmation_secret: intent && { client_secret: intent.client_secret, type: 'payment_intent' },
    metadata: {},
  };
  subscription.latest_invoice = id;
  return saveObject(tx, invoice);
}

const paymentOf = (tx: Transaction, invoice: string, { id, amount, currency }: PaymentIntent) => ({
  id: newId('inpay'),
  object: 'invoice_payment' as const,
  created: tx.now,
  invoice,
  amount_requested: amount,
  amount_paid: null,
  currency,
  is_default: true as const,
  status: 'open' as const,
  payment: { type: 'payment_intent' as const, payment_intent: id },
});

/** Charges an open invoice. @returns the reason of a failure, or null */
export async function chargeInvoice(
  tx: Transaction,
  invoice: Invoice,
  method: PaymentMethod | null,
): Promise<string | null> {
  const [payment] = invoice.payments.data;
  if (invoice.status !== 'open' || !payment) return null;
  const intent = await findObject(tx, 'payment_intent', payment.payment.payment_intent);
  if (!intent) throw new Error(`invoice ${invoice.id} has no payment intent`);
  invoice.attempted = true;
  invoice.attempt_count += 1;
  const failure = method ? await chargeIntent(tx, intent, method) : 'payment_method_missing';
  if (failure === null) {
    Object.assign(invoice, { status: 'paid', amount_paid: invoice.amount_due, amount_remaining: 0 });
    Object.assign(payment, { status: 'paid', amount_paid: invoice.amount_due });
  }
  await saveObject(tx, invoice);
  return failure;
}

export async function voidInvoice(tx: Transaction, invoice: Invoice): Promise<void> {
  if (invoice.status !== 'open') {
    throw invalidRequest('invoice_not_open', `Invoice is ${invoice.status} and can't be voided.`);
  }
  invoice.status = 'void';
  for (const payment of invoice.payments.data) payment.status = 'canceled';
  await saveObject(tx, invoice);
}
