import { inSeconds } from '@clearframe/contract';
import { newId } from '../core/ids.js';
import type { Transaction } from '../core/ledger.js';
import { notFound, unprocessable } from './errors.js';
import { emit } from './events.js';
import {
  type ApprovalUrls,
  type Capture,
  findStored,
  linkTo,
  moneyOf,
  type Subscription,
  saveStored,
  secondsOf,
  timeOf,
} from './objects.js';
import { createCapture, newPayerId } from './orders.js';
import { findPlan, type Plan, periodSecondsOf, trialSecondsOf } from './plans.js';

/** Days after a failed charge at which it is retried. The last failure suspends the subscription. */
const RETRY_DAYS = [1, 3, 5] as const;

export async function createSubscription(
  tx: Transaction,
  plan: Plan,
  customId: string,
  approval: (ApprovalUrls & { readonly pageUrl: string }) | null = null,
): Promise<Subscription> {
  const id = newId('sub');
  const now = timeOf(tx.now);
  const page = approval && linkTo('approve', `${approval.pageUrl}?${new URLSearchParams({ id })}`);
  const subscription: Subscription = {
    id,
    status: 'APPROVAL_PENDING',
    status_update_time: now,
    plan_id: plan.id,
    custom_id: customId,
    quantity: '1',
    start_time: now,
    create_time: now,
    update_time: now,
    subscriber: { email_address: 'payer@sandbox.example', payer_id: newPayerId() },
    billing_info: {
      outstanding_balance: moneyOf(0, plan._price.currency),
      cycle_executions: [],
      failed_payments_count: 0,
    },
    links: [
      ...(page ? [page] : []),
      linkTo('self', `/v1/billing/subscriptions/${id}`),
      linkTo('cancel', `/v1/billing/subscriptions/${id}/cancel`, 'POST'),
    ],
    _approval: approval && { returnUrl: approval.returnUrl, cancelUrl: approval.cancelUrl },
    _cycleStart: tx.now,
    _firstFailedAt: null,
    _failure: null,
  };
  return saveStored(tx, 'subscription', subscription);
}

/** Charged at once unless it starts with a trial. No effect on a subscription in another state. */
export async function approveSubscription(tx: Transaction, pending: Subscription): Promise<void> {
  if (pending.status !== 'APPROVAL_PENDING') return;
  const now = timeOf(tx.now);
  const trialSeconds = trialSecondsOf(planOf(pending));
  const regular = { tenure_type: 'REGULAR', cycles_completed: 0, cycles_remaining: 0, total_cycles: 0 } as const;
  const trial = { tenure_type: 'TRIAL', cycles_completed: 1, cycles_remaining: 0, total_cycles: 1 } as const;
  const hasTrial = trialSeconds > 0;
  const subscription: Subscription = {
    ...pending,
    status: 'ACTIVE',
    status_update_time: now,
    start_time: now,
    update_time: now,
    billing_info: {
      ...pending.billing_info,
      cycle_executions: hasTrial
        ? [
            { ...trial, sequence: 1 },
            { ...regular, sequence: 2 },
          ]
        : [{ ...regular, sequence: 1 }],
      next_billing_time: timeOf(tx.now + trialSeconds),
    },
    _cycleStart: tx.now,
  };
  const sale = hasTrial ? null : await charge(tx, subscription, tx.now);
  await save(tx, subscription, 'ACTIVATED');
  if (sale) await emitSale(tx, subscription, sale);
}

/** Ends at once, without a refund. @throws PayPalError unless it is active or suspended */
export async function cancelSubscription(tx: Transaction, id: string): Promise<void> {
  const subscription = await findStored(tx, 'subscription', id);
  if (!subscription) throw notFound();
  if (subscription.status !== 'ACTIVE' && subscription.status !== 'SUSPENDED') {
    throw unprocessable(
      'SUBSCRIPTION_STATUS_INVALID',
      'Invalid subscription status for cancel action; subscription status should be active or suspended.',
    );
  }
  setStatus(tx, subscription, 'CANCELLED');
  await save(tx, subscription, 'CANCELLED');
}

/** Executes the change that is due at `tx.now`: a renewal, the end of a trial, a retry. */
export async function advanceSubscription(tx: Transaction, id: string): Promise<void> {
  const subscription = await findStored(tx, 'subscription', id);
  if (subscription?.status !== 'ACTIVE') return;
  const { billing_info: info, _firstFailedAt: firstFailedAt } = subscription;
  const cycleStart = firstFailedAt === null ? secondsOf(info.next_billing_time ?? '') : subscription._cycleStart;
  const sale = await charge(tx, subscription, cycleStart);
  if (sale.status === 'COMPLETED') {
    await save(tx, subscription);
    return emitSale(tx, subscription, sale);
  }
  const isOver = info.failed_payments_count > RETRY_DAYS.length;
  if (isOver) setStatus(tx, subscription, 'SUSPENDED');
  await save(tx, subscription, 'PAYMENT.FAILED', ...(isOver ? (['SUSPENDED'] as const) : []));
}

async function charge(tx: Transaction, subscription: Subscription, cycleStart: number): Promise<Capture> {
  const plan = planOf(subscription);
  const { amountCents, currency } = plan._price;
  const amount = moneyOf(amountCents, currency);
  const capture = await createCapture(tx, {
    subject: subscription.id,
    customId: subscription.custom_id,
    amountCents,
    currency,
    isDeclined: subscription._failure !== null,
    orderId: null,
  });
  const { billing_info: info } = subscription;
  subscription._cycleStart = cycleStart;
  subscription.update_time = timeOf(tx.now);
  info.next_billing_time = timeOf(cycleStart + periodSecondsOf(plan));
  if (capture.status === 'COMPLETED') {
    info.last_payment = { amount, time: timeOf(tx.now) };
    info.failed_payments_count = 0;
    info.outstanding_balance = moneyOf(0, currency);
    subscription._firstFailedAt = null;
    const regular = info.cycle_executions.at(-1);
    if (regular) regular.cycles_completed += 1;
  } else {
    info.failed_payments_count += 1;
    info.outstanding_balance = amount;
    info.last_failed_payment = { amount, time: timeOf(tx.now), reason_code: subscription._failure ?? '' };
    subscription._firstFailedAt ??= tx.now;
  }
  return capture;
}

function setStatus(tx: Transaction, subscription: Subscription, status: Subscription['status']): void {
  subscription.status = status;
  subscription.status_update_time = timeOf(tx.now);
  subscription.update_time = timeOf(tx.now);
  subscription.billing_info.next_billing_time = undefined;
}

function planOf({ plan_id: id }: Subscription): Plan {
  const plan = findPlan(id);
  if (!plan) throw new Error(`no plan is called ${id}`);
  return plan;
}

function nextChangeOf({ status, billing_info: info, _firstFailedAt: firstFailedAt }: Subscription): number | null {
  if (status !== 'ACTIVE') return null;
  if (firstFailedAt !== null) {
    return firstFailedAt + inSeconds.days(RETRY_DAYS[info.failed_payments_count - 1] ?? 0);
  }
  return info.next_billing_time === undefined ? null : secondsOf(info.next_billing_time);
}

type Change = 'ACTIVATED' | 'CANCELLED' | 'SUSPENDED' | 'PAYMENT.FAILED';

async function save(tx: Transaction, subscription: Subscription, ...changes: Change[]): Promise<void> {
  await saveStored(tx, 'subscription', subscription, nextChangeOf(subscription));
  for (const change of changes) {
    const event = { type: 'subscription', resource: subscription } as const;
    await emit(tx, `BILLING.SUBSCRIPTION.${change}`, event, subscription.id);
  }
}

/** Events of subscriptions present payments in the shape of PayPal's first API. */
function emitSale(tx: Transaction, { id, custom_id: custom }: Subscription, sale: Capture): Promise<void> {
  const { value: total, currency_code: currency } = sale.amount;
  const resource = {
    id: sale.id,
    state: 'completed',
    amount: { total, currency },
    billing_agreement_id: id,
    custom,
    create_time: sale.create_time,
  };
  return emit(tx, 'PAYMENT.SALE.COMPLETED', { type: 'sale', resource }, id);
}
