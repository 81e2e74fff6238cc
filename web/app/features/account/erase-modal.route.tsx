import { useActionData, useLoaderData } from '@remix-run/react';
import type { ModalBodyProps } from '../modals/catalogue';
import { ModalPage } from '../modals/modal-page';
import { type erase, loadErase } from './erase.server';
import { EraseModal } from './erase-modal';

export const handle = { i18n: ['account'] };
export const loader = loadErase;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';
export { erase as action } from './erase.server';

export default function ErasePage() {
  const { erasure } = useLoaderData<typeof loader>();
  return <ModalPage modal="account:erase" with={{ erasure }} body={EraseContents} />;
}

function EraseContents(props: ModalBodyProps<'account:erase'>) {
  const answer = useActionData<typeof erase>();
  return <EraseModal {...props} result={answer?.result ?? null} />;
}
