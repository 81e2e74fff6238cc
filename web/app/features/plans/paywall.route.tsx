import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ModalPage } from '../modals/modal-page';
import { Paywall } from './paywall';
import { loadPaywall } from './paywall.server';

export const handle = { i18n: ['tiers'] };
export const loader = (args: LoaderFunctionArgs) => loadPaywall(args);
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function UpgradePage() {
  const { query, loaded } = useLoaderData<typeof loader>();
  return <ModalPage modal="paywall" with={{ query, loaded }} body={Paywall} />;
}
