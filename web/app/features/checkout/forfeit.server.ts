import { type LoaderFunctionArgs } from '@remix-run/node';
import { seeOther } from '../../http/answer.server';
import { RETURN_PARAMETER } from '../../http/internal-address';
import { translatorFor } from '../../i18n/i18n.server';
import { fetchMe } from '../../session/me.server';

/** Redirects to the checkout when there is nothing to lose. */
export async function loadForfeit({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  query.delete(RETURN_PARAMETER);
  const checkout = `/checkout?${query}`;
  const user = await fetchMe({ request, context });
  const count = user?.availableCredits ?? 0;
  if (count === 0) throw seeOther(checkout, request);
  const t = await translatorFor(request, 'tiers');
  return { count, checkout, title: t('checkout.forfeit.title') };
}
