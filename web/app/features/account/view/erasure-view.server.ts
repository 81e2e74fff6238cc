import type { PlanPrice, SubscriptionInfo, User } from '@clearframe/contract';
import type { FormattedDate } from '../../../i18n/formatted-date';
import type { EndingSubscription, ErasureView } from './account-view';

interface ErasureFacts {
  readonly user: User | null;
  readonly price: PlanPrice | null;
  /** The provider's answer; null without a subscription, or without an answer. */
  readonly subscription: SubscriptionInfo | null;
}

/** What is lost. The API ends a running subscription at once, without a refund. */
export function erasureOf(facts: ErasureFacts, write: (iso: string) => FormattedDate): ErasureView {
  const { user } = facts;
  const gift = user?.giftCode?.isActive ? user.giftCode : null;
  return {
    email: user && !user.isGuest ? user.email : null,
    subscription: endingOf(facts, write),
    hasMobileSubscription: Boolean(
      user?.monetization.isSubscribed && user.monetization.subscriptionProvider === 'mobile',
    ),
    giftUntil: gift && write(gift.expiryAt),
    credits: user?.availableCredits ?? 0,
  };
}

function endingOf(
  { user, price, subscription }: ErasureFacts,
  write: (iso: string) => FormattedDate,
): EndingSubscription | null {
  const { isSubscribed, subscriptionProvider, hasIncompleteSubscription } = user?.monetization ?? {};
  const isCharged = (isSubscribed && subscriptionProvider !== 'mobile') || hasIncompleteSubscription;
  if (!isCharged || subscription?.status === 'canceled') return null;
  const plan = price?.plan ?? 'personal';
  // Without the provider's answer: running, with an unknown end.
  const status = subscription?.status ?? (isSubscribed ? 'active' : 'incomplete');
  const end = subscription?.trialEnd ?? subscription?.currentPeriodEnd;
  if (status === 'trialing') return { plan, kind: 'trial', until: end ? write(end) : null };
  const until = subscription?.currentPeriodEnd;
  if (status === 'active') return { plan, kind: 'paid', until: until ? write(until) : null };
  return { plan, kind: 'unpaid', until: null };
}
