import { type PlanPrice, priceOf } from '@clearframe/contract';
import type { Subscription } from '../billing-accounts/billing-account.js';
import { grantsPlan, hasStarted, isEnding } from '../billing-accounts/entitlements.js';

export interface DueMail {
  readonly kind: 'trialStarted' | 'paymentFailed' | 'cancelled' | 'ended';
  readonly key: string;
  readonly amountCents: number;
  /** End of the trial, or of the access to a cancelled plan. */
  readonly date: Date | null;
}

const FAILED: readonly Subscription['status'][] = ['incomplete', 'past_due', 'unpaid'];
const isFailed = ({ status, supersededAt }: Subscription): boolean => FAILED.includes(status) && !supersededAt;

export function mailAfter(before: Subscription | undefined, after: Subscription, now: Date): DueMail | null {
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

/** The first charge may be for an intro price. */
function amountOf({ status, introPriceId }: Subscription, price: PlanPrice): number {
  const intro = status === 'incomplete' && introPriceId ? priceOf(introPriceId) : undefined;
  return intro?.amountCents ?? price.amountCents;
}
