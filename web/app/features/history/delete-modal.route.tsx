import { useLoaderData } from '@remix-run/react';
import { ModalPage } from '../modals/modal-page';
import { loadDelete } from './delete.server';
import { DeleteModal } from './delete-modal';

export const handle = { i18n: ['account'] };
export const loader = loadDelete;
export { pageHeaders as headers } from '../../http/page-headers';
export { unlistedMeta as meta } from '../../http/page-meta';
export { deletePhotos as action } from './delete.server';

export default function DeletePage() {
  const { taskIds } = useLoaderData<typeof loader>();
  return <ModalPage modal="history:delete" with={{ taskIds }} body={DeleteModal} />;
}
