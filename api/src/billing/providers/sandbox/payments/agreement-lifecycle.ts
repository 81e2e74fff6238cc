import {
  INCOMPLETE_HOURS,
  inMilliseconds,
  type PlanPrice,
  priceOf,
  TRIAL_REMINDER_DAYS_BEFORE,
  WEEKS_PER_PERIOD,
} from '@clearframe/contract';
import { Agreement } from '../core/ledger.entities.js';
import { InvalidSandboxRequest, type LedgerTransaction, type Subject } from '../core/ledger.js';
import { charge } from './charges.js';
import { priceNameOf } from './sandbox-prices.js';

/** Days after a failed charge at which it is retried. The last failure cancels the subscription. */
const RETRY_DAYS = [1, 3, 5] as const;

/** Days before a yearly renewal. */
const RENEWAL_NOTICE_DAYS = 30;

export const later = (moment: Date, milliseconds: number): Date => new Date(moment.getTime() + milliseconds);

/** Of a card price or wallet plan. */
export function planOf(providerPriceId: string): PlanPrice {
  const price = priceOf(priceNameOf(providerPriceId) ?? '');
  if (price?.kind !== 'plan') throw new InvalidSandboxRequest(`no recurring price: ${providerPriceId}`);
  return price;
}

export const periodEndOf = (start: Date, { period }: PlanPrice): Date =>
  later(start, WEEKS_PER_PERIOD[period] * inMilliseconds.days(7));

export const subjectOf = ({ id, provider }: Agreement): Subject => ({ kind: 'subscription', id, provider });

/** By provider. */
const EVENT_TYPES = {
  created: { stripe: 'customer.subscription.created', paypal: 'BILLING.SUBSCRIPTION.ACTIVATED' },
  updated: { stripe: 'customer.subscription.updated', paypal: 'BILLING.SUBSCRIPTION.UPDATED' },
  ended: { stripe: 'customer.subscription.deleted', paypal: 'BILLING.SUBSCRIPTION.CANCELLED' },
  expired: { stripe: 'customer.subscription.updated', paypal: 'BILLING.SUBSCRIPTION.EXPIRED' },
  trialEnding: { stripe: 'customer.subscription.trial_will_end', paypal: 'BILLING.SUBSCRIPTION.UPDATED' },
  renewalUpcoming: { stripe: 'invoice.upcoming', paypal: 'BILLING.SUBSCRIPTION.UPDATED' },
  paid: { stripe: 'invoice.paid', paypal: 'PAYMENT.SALE.COMPLETED' },
  unpaid: { stripe: 'invoice.payment_failed', paypal: 'BILLING.SUBSCRIPTION.PAYMENT.FAILED' },
} as const;

/** Sets the time of the next scheduled change and emits events. */
export async function save(
  tx: LedgerTransaction,
  agreement: Agreement,
  ...changes: (keyof typeof EVENT_TYPES)[]
): Promise<Agreement> {
  agreement.nextAt = nextMomentOf(agreement);
  await tx.manager.save(Agreement, agreement);
  for (const change of changes) await tx.emit(EVENT_TYPES[change][agreement.provider], subjectOf(agreement));
  return agreement;
}

/** @returns the reason of a failure, or null */
export const bill = (tx: LedgerTransaction, agreement: Agreement, amountCents: number): Promise<string | null> =>
  charge(
    tx,
    {
      subjectId: agreement.id,
      amountCents,
      currency: planOf(agreement.priceId).currency,
      periodStart: agreement.currentPeriodStart,
    },
    agreement.paymentMethodId,
  );

/** At the intro price if there is one. @returns the reason of a failure, or null */
export function billFirst(tx: LedgerTransaction, agreement: Agreement): Promise<string | null> {
  const intro = agreement.introPriceId && priceOf(priceNameOf(agreement.introPriceId) ?? '');
  return bill(tx, agreement, intro ? intro.amountCents : planOf(agreement.priceId).amountCents);
}

export const end = (agreement: Agreement, at: Date): void => {
  agreement.status = agreement.status === 'incomplete' ? 'incomplete_expired' : 'canceled';
  agreement.canceledAt ??= at;
  agreement.endedAt = at;
};

/** Null without a notice, or when it was sent. */
function noticeMomentOf(agreement: Agreement): Date | null {
  const { status, currentPeriodEnd, noticedFor, cancelAtPeriodEnd } = agreement;
  if (cancelAtPeriodEnd || noticedFor?.getTime() === currentPeriodEnd.getTime()) return null;
  if (status === 'trialing') return later(currentPeriodEnd, -inMilliseconds.days(TRIAL_REMINDER_DAYS_BEFORE));
  const isYearly = planOf(agreement.priceId).period === 'yearly';
  return isYearly ? later(currentPeriodEnd, -inMilliseconds.days(RENEWAL_NOTICE_DAYS)) : null;
}

function nextMomentOf(agreement: Agreement): Date | null {
  const { status, createdAt, currentPeriodEnd, firstFailedAt, failedAttempts } = agreement;
  if (status === 'incomplete') return later(createdAt, inMilliseconds.hours(INCOMPLETE_HOURS));
  if (status === 'trialing' || status === 'active') return noticeMomentOf(agreement) ?? currentPeriodEnd;
  if (status === 'past_due' && firstFailedAt) {
    return later(firstFailedAt, inMilliseconds.days(RETRY_DAYS[failedAttempts - 1] ?? 0));
  }
  return null;
}

/** Executes the change that is due at `tx.now`. */
export async function advance(tx: LedgerTransaction, agreement: Agreement): Promise<void> {
  const { now } = tx;
  switch (agreement.status) {
    case 'incomplete':
      end(agreement, now);
      await save(tx, agreement, 'expired');
      return;
    case 'past_due':
      await retry(tx, agreement);
      return;
    case 'trialing':
    case 'active':
      if (now < agreement.currentPeriodEnd) {
        agreement.noticedFor = agreement.currentPeriodEnd;
        await save(tx, agreement, agreement.status === 'trialing' ? 'trialEnding' : 'renewalUpcoming');
      } else await renew(tx, agreement);
  }
}

async function renew(tx: LedgerTransaction, agreement: Agreement): Promise<void> {
  const plan = planOf(agreement.priceId);
  if (agreement.cancelAtPeriodEnd || agreement.paymentMethodId === null) {
    end(agreement, tx.now);
    await save(tx, agreement, 'ended');
    return;
  }
  agreement.currentPeriodStart = agreement.currentPeriodEnd;
  agreement.currentPeriodEnd = periodEndOf(agreement.currentPeriodStart, plan);
  if ((await bill(tx, agreement, plan.amountCents)) === null) {
    agreement.status = 'active';
    await save(tx, agreement, 'updated', 'paid');
    return;
  }
  agreement.status = 'past_due';
  agreement.failedAttempts = 1;
  agreement.firstFailedAt = tx.now;
  await save(tx, agreement, 'updated', 'unpaid');
}

async function retry(tx: LedgerTransaction, agreement: Agreement): Promise<void> {
  if ((await bill(tx, agreement, planOf(agreement.priceId).amountCents)) === null) {
    await settle(tx, agreement);
    return;
  }
  agreement.failedAttempts += 1;
  const isOver = agreement.failedAttempts > RETRY_DAYS.length;
  if (isOver) end(agreement, tx.now);
  await save(tx, agreement, 'unpaid', isOver ? 'ended' : 'updated');
}

/** The open invoice was paid. */
export async function settle(tx: LedgerTransaction, agreement: Agreement): Promise<void> {
  agreement.status = 'active';
  agreement.failedAttempts = 0;
  agreement.firstFailedAt = null;
  await save(tx, agreement, 'updated', 'paid');
}
