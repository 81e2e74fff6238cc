import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { seeOther } from '../../http/answer.server';
import { RETURN_PARAMETER } from '../../http/internal-address';
import { translatorFor } from '../../i18n/i18n.server';
import { fetchMe } from '../../session/me.server';
import { ModalPage } from '../modals/modal-page';
import { ForfeitModal } from './forfeit-modal';

export const handle = { i18n: ['tiers'] };
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

/** Redirects to the checkout when there is nothing to lose. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  query.delete(RETURN_PARAMETER);
  const checkout = `/checkout?${query}`;
  const user = await fetchMe({ request, context });
  const count = user?.availableCredits ?? 0;
  if (count === 0) throw seeOther(checkout, request);
  const t = await translatorFor(request, 'tiers');
  return { count, checkout, title: t('checkout.forfeit.title') };
}

export default function ForfeitPage() {
  const { count, checkout } = useLoaderData<typeof loader>();
  return <ModalPage modal="billing:forfeit" with={{ count, checkout }} body={ForfeitModal} />;
}
