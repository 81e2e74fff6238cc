import type { MetaFunction } from '@remix-run/node';
import { acceptMarketing, loadMarketingConsent } from '../features/account/consent/consent.server';
import { MarketingConsentModal } from '../features/account/consent/consent-modal';
import { ModalPage } from '../features/modals/modal-page';

export const handle = { i18n: ['account'] };
export const loader = loadMarketingConsent;
export const action = acceptMarketing;
export { pageHeaders as headers } from '../http/page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex' },
];

export default function MarketingConsentPage() {
  return <ModalPage modal="consent:marketing" with={{}} body={MarketingConsentModal} />;
}
