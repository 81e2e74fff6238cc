import { INCOMPLETE_HOURS, inSeconds, TRIAL_REMINDER_DAYS_BEFORE } from '@clearframe/contract';
import type { Transaction } from '../core/ledger.js';
import { emit } from './events.js';
import { chargeInvoice, openInvoice, voidInvoice } from './invoices.js';
import {
  findObject,
  type Invoice,
  type Price,
  type Subscription,
  type SubscriptionItem,
  saveObject,
} from './objects.js';
import { findPrice } from './prices.js';

/** Days after a failed charge at which it is retried. The last failure cancels the subscription. */
const RETRY_DAYS = [1, 3, 5] as const;

const RENEWAL_NOTICE_DAYS = 30;
const YEARLY_WEEKS = 52;

export const itemOf = ({ items, id }: Subscription): SubscriptionItem => {
  const [item] = items.data;
  if (!item) throw new Error(`subscription ${id} has no item`);
  return item;
};

export const periodEndOf = (start: number, { recurring }: Price): number =>
  start + inSeconds.days(7) * (recurring?.interval_count ?? 1);

export const hasEnded = ({ status }: Subscription): boolean => status === 'canceled' || status === 'incomplete_expired';

export type SubscriptionChange = 'created' | 'updated' | 'deleted' | 'trial_will_end';

/** Sets the time of the next scheduled change and emits events. */
export async function saveSubscription(
  tx: Transaction,
  subscription: Subscription,
  ...changes: SubscriptionChange[]
): Promise<Subscription> {
  await saveObject(tx, subscription, nextChangeOf(subscription));
  for (const change of changes) await emit(tx, `customer.subscription.${change}`, subscription);
  return subscription;
}

/** @param outcome `paid`, `payment_failed`, `upcoming` or `voided` */
export const emitInvoice = (tx: Transaction, outcome: string, invoice: Invoice): Promise<void> =>
  emit(tx, `invoice.${outcome}`, invoice, invoice.parent.subscription_details.subscription);

function noticeTimeOf(subscription: Subscription): number | null {
  const { current_period_end: periodEnd, price } = itemOf(subscription);
  if (subscription.cancel_at_period_end || subscription._noticedFor === periodEnd) return null;
  if (subscription.status === 'trialing') return periodEnd - inSeconds.days(TRIAL_REMINDER_DAYS_BEFORE);
  return price.recurring?.interval_count === YEARLY_WEEKS ? periodEnd - inSeconds.days(RENEWAL_NOTICE_DAYS) : null;
}

function nextChangeOf(subscription: Subscription): number | null {
  const { status, created, _firstFailedAt: firstFailedAt, _failedAttempts: failedAttempts } = subscription;
  if (status === 'incomplete') return created + inSeconds.hours(INCOMPLETE_HOURS);
  if (status === 'trialing' || status === 'active') {
    return noticeTimeOf(subscription) ?? itemOf(subscription).current_period_end;
  }
  if (status === 'past_due' && firstFailedAt !== null) {
    return firstFailedAt + inSeconds.days(RETRY_DAYS[failedAttempts - 1] ?? 0);
  }
  return null;
}

export function markEnded(subscription: Subscription, at: number): void {
  subscription.status = subscription.status === 'incomplete' ? 'incomplete_expired' : 'canceled';
  subscription.canceled_at ??= at;
  subscription.ended_at = at;
}

export async function advanceSubscription(tx: Transaction, id: string): Promise<void> {
  const subscription = await findObject(tx, 'subscription', id);
  if (!subscription) return;
  switch (subscription.status) {
    case 'incomplete':
      return expire(tx, subscription);
    case 'past_due':
      return retry(tx, subscription);
    case 'trialing':
    case 'active':
      return tx.now < itemOf(subscription).current_period_end ? notify(tx, subscription) : renew(tx, subscription);
  }
}

export async function expire(tx: Transaction, subscription: Subscription): Promise<void> {
  const invoice = await latestInvoiceOf(tx, subscription);
  if (invoice?.status === 'open') {
    await voidInvoice(tx, invoice);
    await emitInvoice(tx, 'voided', invoice);
  }
  markEnded(subscription, tx.now);
  await saveSubscription(tx, subscription, 'updated');
}

export const latestInvoiceOf = async (tx: Transaction, { latest_invoice: id }: Subscription) =>
  id === null ? null : findObject(tx, 'invoice', id);

export const defaultMethodOf = async (tx: Transaction, { default_payment_method: id }: Subscription) =>
  id === null ? null : findObject(tx, 'payment_method', id);

async function notify(tx: Transaction, subscription: Subscription): Promise<void> {
  subscription._noticedFor = itemOf(subscription).current_period_end;
  if (subscription.status === 'trialing') {
    await saveSubscription(tx, subscription, 'trial_will_end');
    return;
  }
  await saveSubscription(tx, subscription);
  const latest = await latestInvoiceOf(tx, subscription);
  // Stripe's upcoming invoice has no id and is never stored.
  if (latest) await emitInvoice(tx, 'upcoming', { ...latest, id: '', status: 'open' });
}

async function renew(tx: Transaction, subscription: Subscription): Promise<void> {
  const item = itemOf(subscription);
  const method = await defaultMethodOf(tx, subscription);
  if (subscription.cancel_at_period_end || !method) {
    markEnded(subscription, tx.now);
    await saveSubscription(tx, subscription, 'deleted');
    return;
  }
  const next = subscription._nextPrice === null ? null : findPrice(subscription._nextPrice);
  if (next) Object.assign(item, { price: next, current_trial: null });
  subscription._nextPrice = null;
  item.current_period_start = item.current_period_end;
  item.current_period_end = periodEndOf(item.current_period_start, item.price);
  const invoice = await openInvoice(tx, subscription, item.price.unit_amount, 'subscription_cycle');
  if ((await chargeInvoice(tx, invoice, method)) === null) return settle(tx, subscription, invoice);
  Object.assign(subscription, { status: 'past_due', _failedAttempts: 1, _firstFailedAt: tx.now });
  await saveSubscription(tx, subscription, 'updated');
  await emitInvoice(tx, 'payment_failed', invoice);
}

async function retry(tx: Transaction, subscription: Subscription): Promise<void> {
  const invoice = await latestInvoiceOf(tx, subscription);
  if (!invoice) return;
  if ((await chargeInvoice(tx, invoice, await defaultMethodOf(tx, subscription))) === null) {
    return settle(tx, subscription, invoice);
  }
  subscription._failedAttempts += 1;
  const isOver = subscription._failedAttempts > RETRY_DAYS.length;
  if (isOver) markEnded(subscription, tx.now);
  await emitInvoice(tx, 'payment_failed', invoice);
  await saveSubscription(tx, subscription, isOver ? 'deleted' : 'updated');
}

export async function settle(tx: Transaction, subscription: Subscription, invoice: Invoice): Promise<void> {
  Object.assign(subscription, { status: 'active', _failedAttempts: 0, _firstFailedAt: null });
  await saveSubscription(tx, subscription, 'updated');
  await emitInvoice(tx, 'paid', invoice);
}
