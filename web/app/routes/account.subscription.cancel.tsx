import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { CancelModal } from '../features/billing/subscription/cancel-modal';
import { loadCancel } from '../features/billing/subscription/change.server';
import { ModalPage } from '../features/modals/modal-page';

export const handle = { i18n: ['account'] };
export const loader = loadCancel;
export { cancel as action } from '../features/billing/subscription/change.server';
export { pageHeaders as headers } from '../http/page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex' },
];

export default function CancelPage() {
  const { until, other } = useLoaderData<typeof loader>();
  return <ModalPage modal="subscription:cancel" with={{ until, other }} body={CancelModal} />;
}
