import { useLoaderData } from '@remix-run/react';
import { CancelModal } from '../features/billing/subscription/cancel-modal';
import { loadCancel } from '../features/billing/subscription/change.server';
import { ModalPage } from '../features/modals/modal-page';

export const handle = { i18n: ['account'] };
export const loader = loadCancel;
export { cancel as action } from '../features/billing/subscription/change.server';
export { pageHeaders as headers } from '../http/page-headers';
export { unlistedMeta as meta } from '../http/page-meta';

export default function CancelPage() {
  const { until, other } = useLoaderData<typeof loader>();
  return <ModalPage modal="subscription:cancel" with={{ until, other }} body={CancelModal} />;
}
