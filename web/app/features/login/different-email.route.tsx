import type { LoaderFunctionArgs } from '@remix-run/node';
import { translatorFor } from '../../i18n/i18n.server';
import { ModalPage } from '../modals/modal-page';
import { DifferentEmailModal } from './linking-modals';

export const handle = { i18n: ['onboarding'] };

export async function loader({ request }: LoaderFunctionArgs) {
  const t = await translatorFor(request, 'onboarding');
  return { title: t('differentEmail.title') };
}

export { pageHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function DifferentEmailModalPage() {
  return <ModalPage modal="login:different-email" with={{ provider: null }} body={DifferentEmailModal} />;
}
