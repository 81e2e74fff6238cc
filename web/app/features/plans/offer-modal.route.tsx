import { useLoaderData } from '@remix-run/react';
import { ModalPage } from '../modals/modal-page';
import { loadOffer } from './offer.server';
import { OfferModal } from './offer-modal';

export const handle = { i18n: ['tiers'] };
export const loader = loadOffer;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function OfferPage() {
  const { topic, taskId, offer } = useLoaderData<typeof loader>();
  const hasSingle = topic === 'batch';
  return <ModalPage modal="offer" with={{ topic, taskId, data: offer, hasSingle }} body={OfferModal} />;
}
