import { useLoaderData } from '@remix-run/react';
import { ModalPage } from '../modals/modal-page';
import { loadShare } from './share.server';
import { ShareModal } from './share-modal';

export const handle = { i18n: ['result'], showsDeletionDate: true };
export const loader = loadShare;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function SharePage() {
  const { taskId, link } = useLoaderData<typeof loader>();
  return <ModalPage modal="share" with={{ taskId, link }} body={ShareModal} />;
}
