import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Paywall } from '../features/billing/paywall/paywall';
import { loadPaywall } from '../features/billing/paywall/paywall.server';
import { ModalPage } from '../features/modals/modal-page';

export const handle = { i18n: ['tiers'] };
export const loader = (args: LoaderFunctionArgs) => loadPaywall(args);
export { pageHeaders as headers } from '../http/page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex' },
];

export default function UpgradePage() {
  const { query, loaded } = useLoaderData<typeof loader>();
  return <ModalPage modal="paywall" with={{ query, loaded }} body={Paywall} />;
}
