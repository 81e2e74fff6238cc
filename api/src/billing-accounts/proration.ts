import { inMilliseconds } from '@clearframe/contract';
import type { Subscription } from './billing-account.js';
import { planPriceOfSubscription } from './entitlements.js';

export interface Proration {
  readonly remainingCents: number;
  /** Rounded up. */
  readonly daysLeft: number;
  readonly isTrialing: boolean;
}

/**
 * Unused part of the current period at its price, rounded half up, at most what was paid and not refunded. A trial
 * refunds nothing.
 */
export function prorationOf(subscription: Subscription, at: Date): Proration {
  const { currentPeriodStart: start, currentPeriodEnd: end, status, paidCents } = subscription;
  const price = planPriceOfSubscription(subscription);
  if (!start || !end || !price) return { remainingCents: 0, daysLeft: 0, isTrialing: false };
  const left = Math.max(0, end.getTime() - Math.max(at.getTime(), start.getTime()));
  const unused = Math.floor((price.amountCents * left) / (end.getTime() - start.getTime()) + 0.5);
  const isTrialing = status === 'trialing';
  return {
    remainingCents: isTrialing ? 0 : Math.max(0, Math.min(unused, paidCents)),
    daysLeft: Math.ceil(left / inMilliseconds.days(1)),
    isTrialing,
  };
}
