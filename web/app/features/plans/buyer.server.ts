import { type Buyer, NEW_GUEST, type User } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { planPriceOfId } from '../settings/plan-prices.server';

export async function buyerOf(user: User | null, context: AppLoadContext): Promise<Buyer> {
  if (!user) return NEW_GUEST;
  const { trialAvailable, introAvailable, openSubscription, isSubscribed, subscriptionProvider } = user.monetization;
  return {
    isGuest: user.isGuest,
    hasMobileSubscription: isSubscribed && subscriptionProvider === 'mobile',
    openSubscription: openSubscription && {
      provider: openSubscription.provider,
      price: await planPriceOfId(openSubscription.priceId, context),
      state: openSubscription.state,
      hasIntro: openSubscription.hasIntro,
    },
    isTrialAvailable: trialAvailable,
    isIntroAvailable: introAvailable,
    availableCredits: user.availableCredits,
  };
}

/** Guests get a new account's offers, since the checkout requires a login. */
export const asNewMember = (buyer: Buyer): Buyer =>
  buyer.isGuest ? { ...buyer, isGuest: false, isTrialAvailable: true, isIntroAvailable: true } : buyer;
