import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ModalPage } from '../features/modals/modal-page';
import { CancelModal } from '../features/subscription/cancel-modal';
import { loadCancel } from '../features/subscription/change.server';

export const handle = { i18n: ['account'] };
export const loader = loadCancel;
export { cancel as action } from '../features/subscription/change.server';
export { pageHeaders as headers } from '../page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex' },
];

export default function CancelPage() {
  const { until } = useLoaderData<typeof loader>();
  return <ModalPage modal="subscription:cancel" with={{ until }} body={CancelModal} />;
}
