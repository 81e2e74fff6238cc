import { useLoaderData } from '@remix-run/react';
import { ModalPage } from '../features/modals/modal-page';
import { loadShare } from '../features/tasks/sharing/share.server';
import { ShareModal } from '../features/tasks/sharing/share-modal';

export const handle = { i18n: ['result'], showsDeletionDate: true };
export const loader = loadShare;
export { pageHeaders as headers } from '../http/page-headers';
export { unlistedMeta as meta } from '../http/page-meta';

export default function SharePage() {
  const { taskId, link } = useLoaderData<typeof loader>();
  return <ModalPage modal="share" with={{ taskId, link }} body={ShareModal} />;
}
