import { useLoaderData } from '@remix-run/react';
import { ModalPage } from '../modals/modal-page';
import { loadForfeit } from './forfeit.server';
import { ForfeitModal } from './forfeit-modal';

export const handle = { i18n: ['tiers'] };
export const loader = loadForfeit;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function ForfeitPage() {
  const { count, checkout } = useLoaderData<typeof loader>();
  return <ModalPage modal="billing:forfeit" with={{ count, checkout }} body={ForfeitModal} />;
}
