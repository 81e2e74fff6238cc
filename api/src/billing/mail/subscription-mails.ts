import { type PlanPrice, priceOf } from '@clearframe/contract';
import type { Subscription } from '../account/state/billing-account.js';
import { grantsPlan, hasStarted, isOpen } from '../account/state/entitlements.js';

/** A mail that a change of a subscription calls for. */
export interface DueMail {
  readonly kind: 'trialStarted' | 'paymentFailed' | 'cancelled' | 'ended';
  /** Names the event, so that it is written about once. */
  readonly key: string;
  /** What the trial will cost, or what could not be charged. */
  readonly amountCents: number;
  /** When the trial becomes a paid plan, or until when a cancelled one can be used. */
  readonly date: Date | null;
}

const FAILED: readonly Subscription['status'][] = ['incomplete', 'past_due', 'unpaid'];
const isFailed = ({ status, supersededAt }: Subscription): boolean => FAILED.includes(status) && !supersededAt;

/** Ended, or about to; a subscription that was upgraded counts as well, and has a mail of its own. */
const isLeaving = (subscription: Subscription): boolean => subscription.cancelAtPeriodEnd || !isOpen(subscription);

/** The mail due after a change, or null. Receipts and notices ahead of a charge are not among them. */
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
  if (!before || !hasStarted(before) || supersededAt || isLeaving(before) || !isLeaving(after)) return null;
  return grantsPlan(after, now)
    ? mail('cancelled', `:${(after.canceledAt ?? now).toISOString()}`, currentPeriodEnd)
    : mail('ended', '', null);
}

/** The intro price is what the first charge of its subscription was for. */
function amountOf({ status, introPriceId }: Subscription, price: PlanPrice): number {
  const intro = status === 'incomplete' && introPriceId ? priceOf(introPriceId) : undefined;
  return intro?.amountCents ?? price.amountCents;
}
