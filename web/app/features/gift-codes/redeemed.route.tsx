import { useLoaderData } from '@remix-run/react';
import { ModalPage } from '../modals/modal-page';
import { loadRedeemed } from './redeem.server';
import { Redeemed } from './redeemed';

export const handle = { i18n: ['account'] };
export const loader = loadRedeemed;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function RedeemedPage() {
  const { until } = useLoaderData<typeof loader>();
  return <ModalPage modal="redeemed" with={{ until }} body={Redeemed} />;
}
