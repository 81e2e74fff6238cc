import { ModalPage } from '../modals/modal-page';
import { acceptImageTraining, loadImageTrainingConsent } from './consent.server';
import { ImageTrainingConsentModal } from './consent-modal';

export const handle = { i18n: ['account'] };
export const loader = loadImageTrainingConsent;
export const action = acceptImageTraining;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function ImageTrainingConsentPage() {
  return <ModalPage modal="consent:image-training" with={{}} body={ImageTrainingConsentModal} />;
}
