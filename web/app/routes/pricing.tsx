import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { loadPaywall } from '../features/billing/paywall/paywall.server';
import { Pricing } from '../features/billing/paywall/pricing';

export const handle = { i18n: ['tiers'] };
export const loader = (args: LoaderFunctionArgs) => loadPaywall(args);
export { pageHeaders as headers } from '../http/page-headers';
export { titleMeta as meta } from '../http/page-meta';

export default function PricingPage() {
  const { loaded } = useLoaderData<typeof loader>();
  return <Pricing {...loaded} />;
}
