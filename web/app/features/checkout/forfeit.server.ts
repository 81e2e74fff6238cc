import { data, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { preserveVersionParam, RETURN_PARAMETER } from '../../http/internal-address';
import { translatorFor } from '../../i18n/i18n.server';
import { loadMe } from '../../session/me.server';

/** Redirects to the checkout when there is nothing to lose. */
export async function loadForfeit({ request, context }: LoaderFunctionArgs) {
  const headers = new Headers({ 'cache-control': 'no-store' });
  const query = new URL(request.url).searchParams;
  query.delete(RETURN_PARAMETER);
  const checkout = `/checkout?${query}`;
  const user = await loadMe({ request, context, headers });
  const count = user?.availableCredits ?? 0;
  if (count === 0)
    throw redirect(preserveVersionParam(checkout, new URL(request.url).search), { status: 303, headers });
  const t = await translatorFor(request, 'tiers');
  return data({ count, checkout, title: t('checkout.forfeit.title') }, { headers });
}
