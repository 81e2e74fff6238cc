import { inSeconds } from '@clearframe/contract';
import { newId } from '../core/ids.js';
import type { Transaction } from '../core/ledger.js';
import { declined, invalidRequest, noSuch } from './errors.js';
import { chargeInvoice, openInvoice } from './invoices.js';
import {
  defaultMethodOf,
  emitInvoice,
  expire,
  hasEnded,
  itemOf,
  markEnded,
  periodEndOf,
  saveSubscription,
  settle,
} from './lifecycle.js';
import {
  findObject,
  type Invoice,
  type Metadata,
  type PaymentMethod,
  type Price,
  type Subscription,
  saveObject,
} from './objects.js';
import { requirePaymentMethod } from './payments.js';
import { findPrice, findTrialOffer, requireRecurringPrice } from './prices.js';

export interface SubscriptionOrder {
  readonly customer: string;
  readonly items: readonly {
    readonly price: string;
    readonly current_trial?: { readonly trial_offer: string } | undefined;
  }[];
  readonly default_payment_method?: string | undefined;
  readonly payment_behavior?: 'allow_incomplete' | 'error_if_incomplete' | undefined;
  readonly trial_period_days?: number | undefined;
  readonly metadata: Metadata;
}

/** Charged at once, unless it begins with a trial. */
export async function createSubscription(tx: Transaction, order: SubscriptionOrder): Promise<Subscription> {
  const customer = await findObject(tx, 'customer', order.customer);
  if (!customer) throw noSuch('customer', order.customer, 'customer', 400);
  const [item] = order.items;
  if (!item) throw invalidRequest('parameter_missing', 'Missing required param: items.', 'items');
  const prices = pricesOf(item, order.trial_period_days !== undefined);
  const methodId = order.default_payment_method ?? customer.invoice_settings.default_payment_method;
  const method = methodId ? await requirePaymentMethod(tx, methodId, customer.id, 'default_payment_method') : null;
  const isTrial = order.trial_period_days !== undefined;
  if (!method && !isTrial) {
    throw invalidRequest(
      'resource_missing',
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
    );
  }
  const subscription = draft(tx, order, prices, method?.id ?? null);
  if (isTrial) {
    await openInvoice(tx, subscription, 0, 'subscription_create');
    return saveSubscription(tx, subscription, 'created');
  }
  const invoice = await openInvoice(tx, subscription, itemOf(subscription).price.unit_amount, 'subscription_create');
  const failure = await chargeInvoice(tx, invoice, method);
  if (failure !== null && order.payment_behavior === 'error_if_incomplete') throw declined(failure, false);
  subscription.status = failure === null ? 'active' : 'incomplete';
  await saveSubscription(tx, subscription, 'created');
  await emitInvoice(tx, failure === null ? 'paid' : 'payment_failed', invoice);
  return subscription;
}

function draft(
  tx: Transaction,
  order: SubscriptionOrder,
  { price, next, offer }: ItemPrices,
  methodId: string | null,
): Subscription {
  const trialEnd = order.trial_period_days === undefined ? null : tx.now + inSeconds.days(order.trial_period_days);
  const id = newId('sub');
  const periodEnd = trialEnd ?? periodEndOf(tx.now, price);
  return {
    id,
    object: 'subscription',
    livemode: false,
    created: tx.now,
    customer: order.customer,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    currency: price.currency,
    start_date: tx.now,
    billing_cycle_anchor: tx.now,
    collection_method: 'charge_automatically',
    items: {
      object: 'list',
      url: `/v1/subscription_items?subscription=${id}`,
      has_more: false,
      data: [
        {
          id: newId('si'),
          object: 'subscription_item',
          created: tx.now,
          subscription: id,
          price,
          quantity: 1,
          current_period_start: tx.now,
          current_period_end: periodEnd,
          current_trial: offer === null ? null : { trial_offer: offer, start_date: tx.now, end_date: periodEnd },
          metadata: {},
        },
      ],
    },
    default_payment_method: methodId,
    latest_invoice: null,
    pending_setup_intent: null,
    schedule: null,
    discounts: [],
    trial_start: trialEnd === null ? null : tx.now,
    trial_end: trialEnd,
    trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
    cancel_at_period_end: false,
    cancel_at: null,
    canceled_at: null,
    ended_at: null,
    cancellation_details: { comment: null, feedback: null, reason: null },
    metadata: order.metadata,
    _nextPrice: next,
    _noticedFor: null,
    _failedAttempts: 0,
    _firstFailedAt: null,
  };
}

interface ItemPrices {
  /** Price of the first period. */
  readonly price: Price;
  readonly next: string | null;
  readonly offer: string | null;
}

function pricesOf(item: SubscriptionOrder['items'][number], hasTrial: boolean): ItemPrices {
  const price = requireRecurringPrice(item.price, 'items[0][price]');
  if (!item.current_trial) return { price, next: null, offer: null };
  const { trial_offer: offerId } = item.current_trial;
  if (hasTrial) {
    throw invalidRequest('parameter_invalid', 'A trial offer and trial_period_days are mutually exclusive.');
  }
  const offer = findTrialOffer(offerId);
  const intro = offer && findPrice(offer.price);
  if (!offer || !intro) throw noSuch('trial offer', offerId, 'items[0][current_trial][trial_offer]', 400);
  if (offer.end_behavior.transition.price !== price.id) {
    const message = `Trial offer ${offerId} doesn't transition to price ${price.id}.`;
    throw invalidRequest('parameter_invalid', message, 'items[0][current_trial][trial_offer]');
  }
  return { price: intro, next: price.id, offer: offerId };
}

export async function requireSubscription(tx: Transaction, id: string): Promise<Subscription> {
  const subscription = await findObject(tx, 'subscription', id);
  if (!subscription) throw noSuch('subscription', id);
  return subscription;
}

export async function updateSubscription(
  tx: Transaction,
  id: string,
  change: {
    readonly cancel_at_period_end?: boolean | undefined;
    readonly default_payment_method?: string | undefined;
    readonly metadata?: Metadata | undefined;
  },
): Promise<Subscription> {
  const subscription = await requireSubscription(tx, id);
  if (hasEnded(subscription)) throw noSuch('subscription', id);
  const { cancel_at_period_end: cancels, default_payment_method: methodId, metadata } = change;
  if (subscription.status === 'incomplete' && cancels !== undefined) {
    const message = 'A subscription in `incomplete` status can only be paid or cancelled.';
    throw invalidRequest('subscription_incomplete', message, 'cancel_at_period_end');
  }
  if (methodId !== undefined) {
    await requirePaymentMethod(tx, methodId, subscription.customer, 'default_payment_method');
    subscription.default_payment_method = methodId;
  }
  if (cancels !== undefined && cancels !== subscription.cancel_at_period_end) {
    subscription.cancel_at_period_end = cancels;
    subscription.cancel_at = cancels ? itemOf(subscription).current_period_end : null;
    subscription.canceled_at = cancels ? tx.now : null;
  }
  if (metadata) subscription.metadata = { ...subscription.metadata, ...metadata };
  return saveSubscription(tx, subscription, 'updated');
}

/** Ends at once, without a refund. Voids the invoice of an incomplete one. */
export async function cancelSubscription(tx: Transaction, id: string): Promise<Subscription> {
  const subscription = await requireSubscription(tx, id);
  if (hasEnded(subscription)) throw noSuch('subscription', id);
  if (subscription.status === 'incomplete') {
    await expire(tx, subscription);
    return subscription;
  }
  markEnded(subscription, tx.now);
  subscription.cancellation_details.reason = 'cancellation_requested';
  return saveSubscription(tx, subscription, 'deleted');
}

/** Pays an open invoice with a method, else with the subscription's. @throws StripeError for a declined one */
export async function payInvoice(tx: Transaction, invoice: Invoice, methodId: string | undefined): Promise<Invoice> {
  if (invoice.status !== 'open') {
    throw invalidRequest('invoice_not_open', invoice.status === 'paid' ? 'Invoice is already paid' : 'Invoice is void');
  }
  const subscription = await requireSubscription(tx, invoice.parent.subscription_details.subscription);
  const method: PaymentMethod | null = methodId
    ? await requirePaymentMethod(tx, methodId, invoice.customer, 'payment_method')
    : await defaultMethodOf(tx, subscription);
  const failure = await chargeInvoice(tx, invoice, method);
  if (failure !== null) {
    await emitInvoice(tx, 'payment_failed', invoice);
    throw declined(failure, true);
  }
  if (hasEnded(subscription)) await emitInvoice(tx, 'paid', invoice);
  else await settle(tx, subscription, invoice);
  return saveObject(tx, invoice);
}
