import type { LoaderFunctionArgs } from '@remix-run/node';
import { seeOther } from '../../http/answer.server';
import { accountAddress } from '../../session/account-tabs';
import { fetchMe } from '../../session/me.server';
import { startLogin } from '../../session/visitor.server';
import { checkoutAddress } from '../plans/offers';

/** Redirects to the checkout of the unpaid subscription, or to the account. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const user = await fetchMe({ request, context });
  if (!user || user.isGuest) return startLogin({ request, context });
  const { isSubscribed, subscriptionProvider, subscriptionId, priceId } = user.monetization;
  const isWaiting = !isSubscribed && subscriptionProvider === 'stripe' && subscriptionId !== null;
  const address = isWaiting && priceId ? checkoutAddress(priceId) : accountAddress('subscription');
  return seeOther(address, request);
}
