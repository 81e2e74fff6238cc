import { useActionData, useLoaderData } from '@remix-run/react';
import { Redeem } from '../features/billing/redeem/redeem';
import { loadRedeem, type redeem } from '../features/billing/redeem/redeem.server';

export const handle = { i18n: ['account'] };
export const loader = loadRedeem;
export { redeem as action } from '../features/billing/redeem/redeem.server';
export { pageHeaders as headers } from '../http/page-headers';
export { unlistedMeta as meta } from '../http/page-meta';

export default function RedeemPage() {
  const { code, isMobile, appAccount, isGuest } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof redeem>();
  const { problem = null, result = null, done = null } = answer && 'problem' in answer ? answer : {};
  return <Redeem {...{ code, isMobile, appAccount, isGuest, problem, result, done }} />;
}
