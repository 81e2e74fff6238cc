import { ModalPage } from '../modals/modal-page';
import { loadImageTrainingDeclined } from './consent.server';
import { ImageTrainingDeclinedModal } from './consent-modal';

export const handle = { i18n: ['account'] };
export const loader = loadImageTrainingDeclined;
export { pageHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function ImageTrainingDeclinedPage() {
  return <ModalPage modal="consent:image-training-declined" with={{}} body={ImageTrainingDeclinedModal} />;
}
