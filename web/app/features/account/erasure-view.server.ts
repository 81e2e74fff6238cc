import type { PlanPrice, SubscriptionInfo, User } from '@clearframe/contract';
import type { FormatDate } from '../../i18n/formatted-date';

export type ErasureView = ReturnType<typeof erasureOf>;

interface ErasureData {
  readonly user: User | null;
  readonly price: PlanPrice | null;
  /** Null without a subscription, or when the provider is unavailable. */
  readonly subscription: SubscriptionInfo | null;
}

/** What is lost. The API ends a running subscription at once, without a refund. */
export function erasureOf(account: ErasureData, formatDate: FormatDate) {
  const { user } = account;
  const gift = user?.giftCode?.isActive ? user.giftCode : null;
  return {
    /** Typed as confirmation; null for guests and accounts without an address. */
    email: user && !user.isGuest ? user.email : null,
    subscription: endingOf(account, formatDate),
    /** Billed by an app store, which continues. */
    hasMobileSubscription: Boolean(
      user?.monetization.isSubscribed && user.monetization.subscriptionProvider === 'mobile',
    ),
    giftUntil: gift && formatDate(gift.expiryAt),
    credits: user?.availableCredits ?? 0,
  };
}

/** A subscription that ends with the account. */
function endingOf({ user, price, subscription }: ErasureData, formatDate: FormatDate) {
  const { isSubscribed, subscriptionProvider, hasIncompleteSubscription } = user?.monetization ?? {};
  const isCharged = (isSubscribed && subscriptionProvider !== 'mobile') || hasIncompleteSubscription;
  if (!isCharged || subscription?.status === 'canceled') return null;
  const plan = price?.plan ?? 'personal';
  // Provider unavailable: assumed active, with an unknown end.
  const status = subscription?.status ?? (isSubscribed ? 'active' : 'incomplete');
  const end = subscription?.trialEnd ?? subscription?.currentPeriodEnd;
  if (status === 'trialing') return { plan, kind: 'trial' as const, until: end ? formatDate(end) : null };
  const until = subscription?.currentPeriodEnd;
  if (status === 'active') return { plan, kind: 'paid' as const, until: until ? formatDate(until) : null };
  return { plan, kind: 'unpaid' as const, until: null };
}
