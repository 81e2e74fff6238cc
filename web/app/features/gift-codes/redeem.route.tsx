import { useActionData, useLoaderData } from '@remix-run/react';
import { Redeem } from './redeem';
import { loadRedeem, type redeem } from './redeem.server';

export const handle = { i18n: ['account'] };
export const loader = loadRedeem;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';
export { redeem as action } from './redeem.server';

export default function RedeemPage() {
  const { code, isMobile, appAccount, isGuest } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof redeem>();
  const { problem = null, result = null, done = null } = answer && 'problem' in answer ? answer : {};
  return <Redeem {...{ code, isMobile, appAccount, isGuest, problem, result, done }} />;
}
