import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { loadRevoke } from '../features/account/plugin-key/keys.server';
import { RevokeKeyModal } from '../features/account/plugin-key/revoke-modal';
import { ModalPage } from '../features/modals/modal-page';

export const handle = { i18n: ['account'] };
export const loader = loadRevoke;
export { revokeKeyOnPage as action } from '../features/account/plugin-key/keys.server';
export { pageHeaders as headers } from '../http/page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex' },
];

export default function RevokeKeyPage() {
  const { id, prefix } = useLoaderData<typeof loader>();
  return <ModalPage modal="plugin-key:revoke" with={{ id, prefix }} body={RevokeKeyModal} />;
}
