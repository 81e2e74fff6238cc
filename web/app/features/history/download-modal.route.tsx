import { useLoaderData } from '@remix-run/react';
import { ModalPage } from '../modals/modal-page';
import { loadDownload } from './download.server';
import { DownloadModal } from './download-modal';

export const handle = { i18n: ['account'] };
export const loader = loadDownload;
export { pageHeaders as headers } from '../../http/page-headers';
export { unlistedMeta as meta } from '../../http/page-meta';

export default function DownloadPage() {
  const { downloads } = useLoaderData<typeof loader>();
  return <ModalPage modal="history:download" with={downloads} body={DownloadModal} />;
}
