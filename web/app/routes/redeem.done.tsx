import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { loadRedeemed } from '../features/billing/redeem/redeem.server';
import { Redeemed } from '../features/billing/redeem/redeemed';
import { ModalPage } from '../features/modals/modal-page';

export const handle = { i18n: ['account'] };
export const loader = loadRedeemed;
export { pageHeaders as headers } from '../http/page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex' },
];

export default function RedeemedPage() {
  const { until } = useLoaderData<typeof loader>();
  return <ModalPage modal="redeemed" with={{ until }} body={Redeemed} />;
}
