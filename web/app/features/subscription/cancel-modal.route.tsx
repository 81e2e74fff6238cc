import { useActionData, useLoaderData } from '@remix-run/react';
import { ModalPage } from '../modals/modal-page';
import { CancelModal } from './cancel-modal';
import { cancel, loadCancel } from './change.server';

export const handle = { i18n: ['account'] };
export const loader = loadCancel;
export const action = cancel;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function CancelPage() {
  const { until, other } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem.code ?? null;
  return <ModalPage modal="subscription:cancel" with={{ until, other, problem }} body={CancelModal} />;
}
