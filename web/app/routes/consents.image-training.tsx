import { acceptImageTraining, loadImageTrainingConsent } from '../features/account/consent/consent.server';
import { ImageTrainingConsentModal } from '../features/account/consent/consent-modal';
import { ModalPage } from '../features/modals/modal-page';

export const handle = { i18n: ['account'] };
export const loader = loadImageTrainingConsent;
export const action = acceptImageTraining;
export { pageHeaders as headers } from '../http/page-headers';
export { unlistedMeta as meta } from '../http/page-meta';

export default function ImageTrainingConsentPage() {
  return <ModalPage modal="consent:image-training" with={{}} body={ImageTrainingConsentModal} />;
}
