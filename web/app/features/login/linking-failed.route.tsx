import { titleLoader } from '../../i18n/i18n.server';
import { ModalPage } from '../modals/modal-page';
import { LinkingFailedModal } from './linking-modals';

export const handle = { i18n: ['onboarding'] };

export const loader = titleLoader('onboarding', (t) => t('linkingFailed.title'));

export { pageHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function LinkingFailedModalPage() {
  return <ModalPage modal="login:linking-failed" with={{}} body={LinkingFailedModal} />;
}
