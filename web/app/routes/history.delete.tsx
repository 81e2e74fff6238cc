import { useLoaderData } from '@remix-run/react';
import { ModalPage } from '../features/modals/modal-page';
import { loadDelete } from '../features/tasks/history/selection/delete.server';
import { DeleteModal } from '../features/tasks/history/selection/delete-modal';

export const handle = { i18n: ['account'] };
export const loader = loadDelete;
export { deletePhotos as action } from '../features/tasks/history/selection/delete.server';
export { pageHeaders as headers } from '../http/page-headers';
export { unlistedMeta as meta } from '../http/page-meta';

export default function DeletePage() {
  const { taskIds } = useLoaderData<typeof loader>();
  return <ModalPage modal="history:delete" with={{ taskIds }} body={DeleteModal} />;
}
