import type { Buyer, OpenSubscription, OpenSubscriptionState } from '@clearframe/contract';
import { type BillingAccount, balanceOf } from './billing-account.js';
import {
  betterFirst,
  counts,
  type Entitlements,
  entitlementsOf,
  factsOf,
  hasBegun,
  isOpen,
  newestFirst,
  planPriceOfSubscription,
  type SubscriptionFacts,
} from './entitlements.js';

/** State of an open subscription, as purchase decisions see it. */
function stateOf(subscription: SubscriptionFacts, now: Date): OpenSubscriptionState {
  const { status, isDisputed } = subscription;
  if (isDisputed) return 'blocked';
  if (counts(subscription, now)) return 'running';
  if (status === 'pending' || status === 'incomplete') return status;
  return status === 'past_due' || status === 'unpaid' ? 'past_due' : 'blocked';
}

/** The open subscription that purchases depend on: the one that gives the plan, else the newest. */
export function openSubscriptionOf<Known extends SubscriptionFacts>(
  subscriptions: readonly Known[],
  now: Date,
): Known | null {
  const open = subscriptions.filter((one) => isOpen(one) && one.provider !== 'mobile');
  const [running] = open.filter((one) => counts(one, now)).sort(betterFirst);
  return running ?? open.sort(newestFirst)[0] ?? null;
}

/** The same as purchase decisions take it. */
export function openStateOf(subscriptions: readonly SubscriptionFacts[], now: Date): OpenSubscription | null {
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
export const isIntroAvailable = (subscriptions: readonly SubscriptionFacts[]): boolean => !subscriptions.some(hasBegun);

/** Whether a subscription of the mobile app gives the plan. */
export const hasMobilePlan = ({ running }: Pick<Entitlements<SubscriptionFacts>, 'running'>): boolean =>
  running?.provider === 'mobile';

/** What a purchase decision needs to know of an account. */
export const buyerOf = (account: BillingAccount, isGuest: boolean, now: Date): Buyer => ({
  isGuest,
  hasMobileSubscription: hasMobilePlan(entitlementsOf(factsOf(account), now)),
  openSubscription: openStateOf(account.subscriptions, now),
  isTrialAvailable: account.trials.length === 0,
  isIntroAvailable: isIntroAvailable(account.subscriptions),
  availableCredits: balanceOf(account, null),
});
