import { useLoaderData } from '@remix-run/react';
import { ModalPage } from '../modals/modal-page';
import { loadRevoke } from './keys.server';
import { RevokeKeyModal } from './revoke-modal';

export const handle = { i18n: ['account'] };
export const loader = loadRevoke;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';
export { revokeKeyOnPage as action } from './keys.server';

export default function RevokeKeyPage() {
  const { id, prefix } = useLoaderData<typeof loader>();
  return <ModalPage modal="plugin-key:revoke" with={{ id, prefix }} body={RevokeKeyModal} />;
}
