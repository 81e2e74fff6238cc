import { ModalPage } from '../modals/modal-page';
import { loadPluginKeyOffer } from './offer.server';
import { PluginKeyOffer } from './offer-modal';

export const handle = { i18n: ['account'] };
export const loader = loadPluginKeyOffer;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function PluginKeyOfferPage() {
  return <ModalPage modal="plugin-key:offer" with={{}} body={PluginKeyOffer} />;
}
