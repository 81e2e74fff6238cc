import type { Currency } from '@clearframe/contract';
import type { Payment, Subscription } from '../account/state/billing-account.js';

/** A successful charge. */
export interface Charge {
  /** The same for every reading of the charge. */
  readonly key: string;
  readonly paymentId: string | null;
  readonly subscriptionId: string | null;
  readonly priceId: string;
  readonly amountCents: number;
  readonly currency: Currency;
  readonly chargedAt: Date;
}

/** The charge of a purchase. */
export function chargeOfPayment({ id, priceId, amountCents, currency, settledAt, createdAt }: Payment): Charge {
  const chargedAt = settledAt ?? createdAt;
  return { key: id, paymentId: id, subscriptionId: null, priceId, amountCents, currency, chargedAt };
}

/** Names the charge of a subscription's current period. */
export const keyOfPeriod = ({ id, currentPeriodStart }: Subscription): string =>
  `${id}:${currentPeriodStart?.toISOString() ?? 'none'}`;

/** The charge of a subscription's current period; null for one that was free. */
export function chargeOfPeriod(subscription: Subscription): Charge | null {
  const { id, priceId, paidCents, currency, currentPeriodStart } = subscription;
  if (paidCents === 0 || !currentPeriodStart) return null;
  return {
    key: keyOfPeriod(subscription),
    paymentId: null,
    subscriptionId: id,
    priceId,
    amountCents: paidCents,
    currency,
    chargedAt: currentPeriodStart,
  };
}
