import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { preserveVersionParam } from '../../http/internal-address';
import { accountAddress } from '../../session/account-tabs';
import { loadMe } from '../../session/me.server';
import { startLogin } from '../../session/visitor.server';
import { checkoutAddress } from '../plans/offers';

/** Redirects to the checkout of the unpaid subscription, or to the account. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const headers = new Headers({ 'cache-control': 'no-store' });
  const user = await loadMe({ request, context, headers });
  if (!user || user.isGuest) return startLogin({ request, context, headers });
  const { isSubscribed, subscriptionProvider, subscriptionId, priceId } = user.monetization;
  const isWaiting = !isSubscribed && subscriptionProvider === 'stripe' && subscriptionId !== null;
  const address = isWaiting && priceId ? checkoutAddress(priceId) : accountAddress('subscription');
  return redirect(preserveVersionParam(address, new URL(request.url).search), { status: 303, headers });
}
