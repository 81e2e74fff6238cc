import { useActionData, useLoaderData } from '@remix-run/react';
import { CancelModal } from '../features/billing/subscription/cancel-modal';
import { cancel, loadCancel } from '../features/billing/subscription/change.server';
import { ModalPage } from '../features/modals/modal-page';

export const handle = { i18n: ['account'] };
export const loader = loadCancel;
export const action = cancel;
export { pageHeaders as headers } from '../http/page-headers';
export { unlistedMeta as meta } from '../http/page-meta';

export default function CancelPage() {
  const { until, other } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem.code ?? null;
  return <ModalPage modal="subscription:cancel" with={{ until, other, problem }} body={CancelModal} />;
}
