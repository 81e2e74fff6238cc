import { useLoaderData } from '@remix-run/react';
import { useState } from 'react';
import type { ModalBodyProps } from '../modals/catalogue';
import type { loadAccountPage } from './account.server';
import { AccountContents } from './account-contents';

export function AccountPageBody({ tab, modal }: ModalBodyProps<'user:account'>) {
  const { account } = useLoaderData<typeof loadAccountPage>();
  const [changed, setChanged] = useState({ since: account, account });
  // Newer loader data replaces changes made here.
  const current = changed.since === account ? changed.account : account;
  return (
    <AccountContents
      section={tab}
      account={current}
      onChange={(next) => setChanged({ since: account, account: next })}
      modal={modal}
    />
  );
}
