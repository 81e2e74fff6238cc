import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { loadAccountPage } from '../features/account/account.server';
import { AccountFlash } from '../features/account/account-flash';
import { AccountPageBody } from '../features/account/account-page';
import { ModalPage } from '../features/modals/modal-page';

export const handle = { i18n: ['account', 'tiers'] };
export const loader = loadAccountPage;
export { createKeyOnPage as action } from '../features/account/plugin-key/keys.server';
export { pageHeaders as headers } from '../http/page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [{ title: loaded?.title }];

export default function AccountPage() {
  const { section, flash } = useLoaderData<typeof loader>();
  return (
    <>
      <AccountFlash flash={flash} />
      <ModalPage modal="user:account" with={{ tab: section }} body={AccountPageBody} />
    </>
  );
}
