import type { MetaFunction } from '@remix-run/node';
import { ModalPage } from '../modals/modal-page';
import { loadPluginKeyOffer } from './offer.server';
import { PluginKeyOffer } from './offer-modal';

export const handle = { i18n: ['account'] };
export const loader = loadPluginKeyOffer;
export { privateHeaders as headers } from '../../http/page';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex' },
];

export default function PluginKeyOfferPage() {
  return <ModalPage modal="plugin-key:offer" with={{}} body={PluginKeyOffer} />;
}
