import { type PlanPrice, priceOf } from '@clearframe/contract';
import type { Subscription } from '../account/state/billing-account.js';
import { grantsPlan, hasStarted, isOpen } from '../account/state/entitlements.js';

/** A mail that is due after a change of a subscription. */
export interface DueMail {
  readonly kind: 'trialStarted' | 'paymentFailed' | 'cancelled' | 'ended';
  /** Identifies the event: one mail for each. */
  readonly key: string;
  /** The price after the trial, or the amount that could not be charged. */
  readonly amountCents: number;
  /** The end of the trial, or of the access to a cancelled plan. */
  readonly date: Date | null;
}

const FAILED: readonly Subscription['status'][] = ['incomplete', 'past_due', 'unpaid'];
const isFailed = ({ status, supersededAt }: Subscription): boolean => FAILED.includes(status) && !supersededAt;

/** Ended, cancelled or replaced by an upgrade. */
const isEnding = (subscription: Subscription): boolean => subscription.cancelAtPeriodEnd || !isOpen(subscription);

/** The mail due after a change, or null; without receipts and notices before a charge. */
export function mailAbout(before: Subscription | undefined, after: Subscription, now: Date): DueMail | null {
  const price = priceOf(after.priceId);
  if (price?.kind !== 'plan') return null;
  const { id, status, trialEnd, currentPeriodStart, currentPeriodEnd, supersededAt } = after;
  const mail = (kind: DueMail['kind'], key: string, date: Date | null): DueMail => ({
    kind,
    key: `${kind}:${id}${key}`,
    amountCents: amountOf(after, price),
    date,
  });
  if (status === 'trialing' && before?.status !== 'trialing') return mail('trialStarted', '', trialEnd);
  if (isFailed(after) && !(before && isFailed(before))) {
    return mail('paymentFailed', `:${currentPeriodStart?.toISOString()}`, null);
  }
  if (!before || !hasStarted(before) || supersededAt || isEnding(before) || !isEnding(after)) return null;
  return grantsPlan(after, now)
    ? mail('cancelled', `:${(after.canceledAt ?? now).toISOString()}`, currentPeriodEnd)
    : mail('ended', '', null);
}

/** The first charge of a subscription with an intro price is for that price. */
function amountOf({ status, introPriceId }: Subscription, price: PlanPrice): number {
  const intro = status === 'incomplete' && introPriceId ? priceOf(introPriceId) : undefined;
  return intro?.amountCents ?? price.amountCents;
}
