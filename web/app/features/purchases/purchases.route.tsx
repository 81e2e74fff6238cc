import { useLoaderData } from '@remix-run/react';
import { Purchases } from './purchases';
import { loadPurchases } from './purchases.server';

export const handle = { i18n: ['account', 'tiers'] };
export const loader = loadPurchases;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function PurchasesPage() {
  const { purchases, olderAfter, email } = useLoaderData<typeof loader>();
  return <Purchases purchases={purchases} olderAfter={olderAfter} email={email} />;
}
