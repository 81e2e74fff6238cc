import { GUEST_STANDING, type PlanPrice, type Standing, type User } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { planPriceOfId } from '../settings/plan-prices.server';

/**
 * The facts from which somebody's role follows; those of a guest for a visitor whom the backend does not know yet.
 * @param price what they subscribe to. A price that we don't know (one from the mobile shops, for instance) makes a
 *   subscriber all the same.
 */
export function standingWith(user: User | null, price: PlanPrice | null): Standing {
  if (!user) return GUEST_STANDING;
  const { isSubscribed, subscriptionProvider } = user.monetization;
  return {
    isGuest: user.isGuest,
    subscribedPlan: isSubscribed ? (price?.plan ?? 'personal') : null,
    subscriptionProvider,
    isGiftCodeActive: user.giftCode?.isActive ?? false,
    isFree: user.isFree,
    availableCredits: user.availableCredits,
  };
}

/** The same, with the price looked up. @throws ApiError */
export const standingOf = async (user: User | null, context: AppLoadContext): Promise<Standing> =>
  standingWith(user, await planPriceOfId(user?.monetization.priceId ?? null, context));
