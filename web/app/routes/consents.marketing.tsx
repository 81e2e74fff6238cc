import { acceptMarketing, loadMarketingConsent } from '../features/account/consent/consent.server';
import { MarketingConsentModal } from '../features/account/consent/consent-modal';
import { ModalPage } from '../features/modals/modal-page';

export const handle = { i18n: ['account'] };
export const loader = loadMarketingConsent;
export const action = acceptMarketing;
export { pageHeaders as headers } from '../http/page-headers';
export { unlistedMeta as meta } from '../http/page-meta';

export default function MarketingConsentPage() {
  return <ModalPage modal="consent:marketing" with={{}} body={MarketingConsentModal} />;
}
