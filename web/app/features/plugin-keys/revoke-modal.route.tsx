import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ModalPage } from '../modals/modal-page';
import { loadRevoke } from './keys.server';
import { RevokeKeyModal } from './revoke-modal';

export const handle = { i18n: ['account'] };
export const loader = loadRevoke;
export { privateHeaders as headers } from '../../http/page';
export { revokeKeyOnPage as action } from './keys.server';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex' },
];

export default function RevokeKeyPage() {
  const { id, prefix } = useLoaderData<typeof loader>();
  return <ModalPage modal="plugin-key:revoke" with={{ id, prefix }} body={RevokeKeyModal} />;
}
