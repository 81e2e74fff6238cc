import type { LoaderFunctionArgs } from '@remix-run/node';
import { LinkingFailedModal } from '../features/identity/login/view/linking-modals';
import { ModalPage } from '../features/modals/modal-page';
import { translatorFor } from '../i18n/i18n.server';

export const handle = { i18n: ['onboarding'] };

export async function loader({ request }: LoaderFunctionArgs) {
  const t = await translatorFor(request, 'onboarding');
  return { title: t('linkingFailed.title') };
}

export { pageHeaders as headers } from '../http/page-headers';
export { unlistedMeta as meta } from '../http/page-meta';

export default function LinkingFailedModalPage() {
  return <ModalPage modal="login:linking-failed" with={{}} body={LinkingFailedModal} />;
}
