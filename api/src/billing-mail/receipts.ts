import type { Currency } from '@clearframe/contract';
import type { Payment, Subscription } from '../billing-accounts/billing-account.js';

export interface Charge {
  /** The same in every reading of the charge. */
  readonly key: string;
  readonly paymentId: string | null;
  readonly subscriptionId: string | null;
  readonly priceId: string;
  readonly amountCents: number;
  readonly currency: Currency;
  readonly chargedAt: Date;
}

export function chargeOfPayment({ id, priceId, amountCents, currency, settledAt, createdAt }: Payment): Charge {
  const chargedAt = settledAt ?? createdAt;
  return { key: id, paymentId: id, subscriptionId: null, priceId, amountCents, currency, chargedAt };
}

export const keyOfPeriod = ({ id, currentPeriodStart }: Subscription): string =>
  `${id}:${currentPeriodStart?.toISOString() ?? 'none'}`;

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
