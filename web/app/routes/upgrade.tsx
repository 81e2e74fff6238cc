import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { loadPlans } from '../features/billing/plans/offers.server';
import { Plans } from '../features/billing/plans/plans';

export const handle = { i18n: ['tiers'] };
export const loader = loadPlans;
export { pageHeaders as headers } from '../http/page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [{ title: loaded?.title }];

export default function UpgradePage() {
  const { offers, isGuest } = useLoaderData<typeof loader>();
  return <Plans offers={offers} isGuest={isGuest} />;
}
