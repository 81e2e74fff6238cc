import { useLoaderData } from '@remix-run/react';
import { ModalPage } from '../modals/modal-page';
import { chooseCookies, loadCookies } from './cookies.server';
import { CookiesModal } from './cookies-modal';

export const handle = { i18n: ['onboarding'] };
export const loader = loadCookies;
export const action = chooseCookies;
export { pageHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function CookiesPage() {
  const { agreed } = useLoaderData<typeof loader>();
  return <ModalPage modal="cookies" with={{ agreed }} body={CookiesModal} />;
}
