import { titleLoader } from '../../i18n/i18n.server';
import { ModalPage } from '../modals/modal-page';
import { NotSupportedModal } from './linking-modals';

export const handle = { i18n: ['onboarding'] };

export const loader = titleLoader('onboarding', (t) => t('notSupported.title'));

export { pageHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function NotSupportedModalPage() {
  return <ModalPage modal="login:not-supported" with={{}} body={NotSupportedModal} />;
}
