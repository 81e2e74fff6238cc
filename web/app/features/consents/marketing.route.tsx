import { ModalPage } from '../modals/modal-page';
import { acceptMarketing, loadMarketingConsent } from './consent.server';
import { MarketingConsentModal } from './consent-modal';

export const handle = { i18n: ['account'] };
export const loader = loadMarketingConsent;
export const action = acceptMarketing;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function MarketingConsentPage() {
  return <ModalPage modal="consent:marketing" with={{}} body={MarketingConsentModal} />;
}
