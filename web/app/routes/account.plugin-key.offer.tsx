import type { MetaFunction } from '@remix-run/node';
import { loadPluginKeyOffer } from '../features/account/plugin-key/offer.server';
import { PluginKeyOffer } from '../features/account/plugin-key/offer-modal';
import { ModalPage } from '../features/modals/modal-page';

export const handle = { i18n: ['account'] };
export const loader = loadPluginKeyOffer;
export { pageHeaders as headers } from '../http/page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex' },
];

export default function PluginKeyOfferPage() {
  return <ModalPage modal="plugin-key:offer" with={{}} body={PluginKeyOffer} />;
}
