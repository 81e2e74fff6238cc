import { randomUUID } from 'node:crypto';
import type { IntroPrice, PlanPrice } from '@clearframe/contract';
import { AppError } from '../platform/errors/app-error.js';
import { type BillingAccount, balanceOf, type Subscription } from './account/billing-account.js';
import { entitlementsOf, factsOf, hasBegun, isOpen } from './account/entitlements.js';

/** What somebody wants to subscribe to, and what they agree to. */
export interface SubscriptionOrder {
  readonly provider: 'stripe' | 'paypal';
  readonly providerId: string | null;
  readonly customerId: string | null;
  readonly price: PlanPrice;
  readonly intro: IntroPrice | null;
  readonly paymentMethodId: string | null;
  readonly trial: boolean;
  readonly forfeitCredits: number;
}

/** The row of a subscription that its provider has not answered to yet. */
export const newSubscription = (
  userId: string,
  order: SubscriptionOrder,
  now: Date,
  replacesId: string | null = null,
): Subscription => ({
  id: randomUUID(),
  userId,
  provider: order.provider,
  providerId: order.providerId,
  customerId: order.customerId,
  priceId: order.price.id,
  introPriceId: order.intro?.id ?? null,
  paymentMethodId: order.paymentMethodId,
  asksTrial: order.trial,
  status: 'pending',
  currentPeriodStart: null,
  currentPeriodEnd: null,
  trialEnd: null,
  cancelAtPeriodEnd: false,
  canceledAt: null,
  endedAt: null,
  hasIntro: order.intro !== null,
  paidCents: 0,
  currency: order.price.currency,
  isDisputed: false,
  forfeitCredits: order.forfeitCredits,
  forfeitedAt: null,
  replacesId,
  supersededAt: null,
  previewedAt: null,
  readNo: 0,
  createdAt: now,
});

/** @throws AppError `billing.intro_unavailable` */
function acceptIntro(account: BillingAccount, intro: IntroPrice | null): void {
  if (!intro) return;
  if (account.subscriptions.some(hasBegun)) throw new AppError('billing.intro_unavailable');
}

/**
 * The running subscription that an order repeats, or null for an order that may be carried out.
 * @throws AppError `subscriptions.managed_elsewhere`, `subscriptions.exists`, `billing.forfeit_unconfirmed`,
 *   `billing.trial_unavailable`, `billing.intro_unavailable`
 */
export function acceptSubscription(account: BillingAccount, order: SubscriptionOrder, now: Date): Subscription | null {
  if (entitlementsOf(factsOf(account), now).running?.provider === 'mobile') {
    throw new AppError('subscriptions.managed_elsewhere');
  }
  const open = account.subscriptions.filter(
    (subscription) => subscription.provider !== 'mobile' && isOpen(subscription),
  );
  const same = open.find((subscription) => isRepeated(subscription, order));
  if (same) return same;
  if (open.length > 0) throw new AppError('subscriptions.exists');
  const availableCredits = balanceOf(account, null);
  if (order.forfeitCredits !== availableCredits) {
    throw new AppError('billing.forfeit_unconfirmed', { details: { available_credits: availableCredits } });
  }
  if (order.trial && account.trials.length > 0) throw new AppError('billing.trial_unavailable');
  acceptIntro(account, order.intro);
  return null;
}

/** In the wallet every approval makes another subscription; by card the same price is the same order. */
const isRepeated = (subscription: Subscription, order: SubscriptionOrder): boolean =>
  subscription.provider === order.provider &&
  (order.providerId ? subscription.providerId === order.providerId : subscription.priceId === order.price.id);
