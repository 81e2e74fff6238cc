import { useLoaderData } from '@remix-run/react';
import { loadForfeit } from '../features/billing/forfeit/forfeit.server';
import { ForfeitModal } from '../features/billing/forfeit/forfeit-modal';
import { ModalPage } from '../features/modals/modal-page';

export const handle = { i18n: ['tiers'] };
export const loader = loadForfeit;
export { pageHeaders as headers } from '../http/page-headers';
export { unlistedMeta as meta } from '../http/page-meta';

export default function ForfeitPage() {
  const { count, checkout } = useLoaderData<typeof loader>();
  return <ModalPage modal="billing:forfeit" with={{ count, checkout }} body={ForfeitModal} />;
}
