import { useActionData, useLoaderData } from '@remix-run/react';
import { type erase, loadErase } from '../features/account/erasure/erase.server';
import { EraseModal } from '../features/account/erasure/erase-modal';
import type { ModalBodyProps } from '../features/modals/catalogue';
import { ModalPage } from '../features/modals/modal-page';

export const handle = { i18n: ['account'] };
export const loader = loadErase;
export { erase as action } from '../features/account/erasure/erase.server';
export { pageHeaders as headers } from '../http/page-headers';
export { unlistedMeta as meta } from '../http/page-meta';

export default function ErasePage() {
  const { erasure } = useLoaderData<typeof loader>();
  return <ModalPage modal="account:erase" with={{ erasure }} body={EraseContents} />;
}

function EraseContents(props: ModalBodyProps<'account:erase'>) {
  const answer = useActionData<typeof erase>();
  return <EraseModal {...props} result={answer?.result ?? null} />;
}
