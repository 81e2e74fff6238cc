import { titleLoader } from '../../i18n/i18n.server';
import { ModalPage } from '../modals/modal-page';
import { DifferentEmailModal } from './linking-modals';

export const handle = { i18n: ['onboarding'] };

export const loader = titleLoader('onboarding', (t) => t('differentEmail.title'));

export { pageHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function DifferentEmailModalPage() {
  return <ModalPage modal="login:different-email" with={{ provider: null }} body={DifferentEmailModal} />;
}
