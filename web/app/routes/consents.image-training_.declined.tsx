import { loadImageTrainingDeclined } from '../features/account/consent/consent.server';
import { ImageTrainingDeclinedModal } from '../features/account/consent/consent-modal';
import { ModalPage } from '../features/modals/modal-page';

export const handle = { i18n: ['account'] };
export const loader = loadImageTrainingDeclined;
export { pageHeaders as headers } from '../http/page-headers';
export { unlistedMeta as meta } from '../http/page-meta';

export default function ImageTrainingDeclinedPage() {
  return <ModalPage modal="consent:image-training-declined" with={{}} body={ImageTrainingDeclinedModal} />;
}
