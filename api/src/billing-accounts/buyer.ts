import type { Buyer, OpenSubscription, OpenSubscriptionState } from '@clearframe/contract';
import { type BillingAccount, balanceOf } from './billing-account.js';
import {
  type AccountEntitlements,
  billingStateOf,
  byBestPlan,
  entitlementsOf,
  grantsPlan,
  hasStarted,
  isOpen,
  newestFirst,
  planPriceOfSubscription,
  type SubscriptionState,
} from './entitlements.js';

function stateOf(subscription: SubscriptionState, now: Date): OpenSubscriptionState {
  const { status, isDisputed } = subscription;
  if (isDisputed) return 'blocked';
  if (grantsPlan(subscription, now)) return 'running';
  if (status === 'pending' || status === 'incomplete') return status;
  return status === 'past_due' || status === 'unpaid' ? 'past_due' : 'blocked';
}

/** The one that grants the plan, else the newest. */
export function openSubscriptionOf<Row extends SubscriptionState>(
  subscriptions: readonly Row[],
  now: Date,
): Row | null {
  const open = subscriptions.filter((one) => isOpen(one) && one.provider !== 'mobile');
  const [running] = open.filter((one) => grantsPlan(one, now)).sort(byBestPlan);
  return running ?? open.sort(newestFirst)[0] ?? null;
}

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

export const isIntroAvailable = (subscriptions: readonly SubscriptionState[]): boolean =>
  !subscriptions.some(hasStarted);

const hasMobilePlan = ({ running }: Pick<AccountEntitlements<SubscriptionState>, 'running'>): boolean =>
  running?.provider === 'mobile';

export const buyerOf = (account: BillingAccount, isGuest: boolean, now: Date): Buyer => ({
  isGuest,
  hasMobileSubscription: hasMobilePlan(entitlementsOf(billingStateOf(account), now)),
  openSubscription: openStateOf(account.subscriptions, now),
  isTrialAvailable: account.trials.length === 0,
  isIntroAvailable: isIntroAvailable(account.subscriptions),
  availableCredits: balanceOf(account, null),
});
