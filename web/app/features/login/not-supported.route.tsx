import type { LoaderFunctionArgs } from '@remix-run/node';
import { translatorFor } from '../../i18n/i18n.server';
import { ModalPage } from '../modals/modal-page';
import { NotSupportedModal } from './linking-modals';

export const handle = { i18n: ['onboarding'] };

export async function loader({ request }: LoaderFunctionArgs) {
  const t = await translatorFor(request, 'onboarding');
  return { title: t('notSupported.title') };
}

export { pageHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function NotSupportedModalPage() {
  return <ModalPage modal="login:not-supported" with={{}} body={NotSupportedModal} />;
}
