import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { loadPaywall } from '../features/billing/paywall/paywall.server';
import { Pricing } from '../features/billing/paywall/pricing';

export const handle = { i18n: ['tiers'] };
export const loader = (args: LoaderFunctionArgs) => loadPaywall(args);
export { pageHeaders as headers } from '../http/page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [{ title: loaded?.title }];

export default function PricingPage() {
  const { loaded } = useLoaderData<typeof loader>();
  return <Pricing {...loaded} />;
}
