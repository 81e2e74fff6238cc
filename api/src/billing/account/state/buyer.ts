import type { Buyer, OpenSubscription, OpenSubscriptionState } from '@clearframe/contract';
import { type BillingAccount, balanceOf } from './billing-account.js';
import {
  type AccountEntitlements,
  betterFirst,
  billingStateOf,
  entitlementsOf,
  grantsPlan,
  hasStarted,
  isOpen,
  newestFirst,
  planPriceOfSubscription,
  type SubscriptionState,
} from './entitlements.js';

/** State of an open subscription, as purchase decisions see it. */
function stateOf(subscription: SubscriptionState, now: Date): OpenSubscriptionState {
  const { status, isDisputed } = subscription;
  if (isDisputed) return 'blocked';
  if (grantsPlan(subscription, now)) return 'running';
  if (status === 'pending' || status === 'incomplete') return status;
  return status === 'past_due' || status === 'unpaid' ? 'past_due' : 'blocked';
}

/** The open subscription that purchases depend on: the one that grants the plan, else the newest. */
export function openSubscriptionOf<Known extends SubscriptionState>(
  subscriptions: readonly Known[],
  now: Date,
): Known | null {
  const open = subscriptions.filter((one) => isOpen(one) && one.provider !== 'mobile');
  const [running] = open.filter((one) => grantsPlan(one, now)).sort(betterFirst);
  return running ?? open.sort(newestFirst)[0] ?? null;
}

/** Its state, as purchase decisions see it. */
export function openStateOf(subscriptions: readonly SubscriptionState[], now: Date): OpenSubscription | null {
  const open = openSubscriptionOf(subscriptions, now);
  if (!open || open.provider === 'mobile') return null;
  return {
    provider: open.provider,
    price: planPriceOfSubscription(open),
    state: stateOf(open, now),
    hasIntro: open.hasIntro,
  };
}

/** No subscription has started yet. */
export const isIntroAvailable = (subscriptions: readonly SubscriptionState[]): boolean =>
  !subscriptions.some(hasStarted);

/** Whether a subscription of the mobile app grants the plan. */
export const hasMobilePlan = ({ running }: Pick<AccountEntitlements<SubscriptionState>, 'running'>): boolean =>
  running?.provider === 'mobile';

/** The input of purchase decisions. */
export const buyerOf = (account: BillingAccount, isGuest: boolean, now: Date): Buyer => ({
  isGuest,
  hasMobileSubscription: hasMobilePlan(entitlementsOf(billingStateOf(account), now)),
  openSubscription: openStateOf(account.subscriptions, now),
  isTrialAvailable: account.trials.length === 0,
  isIntroAvailable: isIntroAvailable(account.subscriptions),
  availableCredits: balanceOf(account, null),
});
