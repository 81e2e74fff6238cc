import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { loadPlans } from '../features/plans/offers.server';
import { Plans } from '../features/plans/plans';

export const handle = { i18n: ['tiers'] };
export const loader = loadPlans;
export { pageHeaders as headers } from '../page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [{ title: loaded?.title }];

export default function UpgradePage() {
  const { offers, isGuest } = useLoaderData<typeof loader>();
  return <Plans offers={offers} isGuest={isGuest} />;
}
