import { useActionData, useLoaderData } from '@remix-run/react';
import { useMemo, useState } from 'react';
import type { ModalBodyProps } from '../modals/catalogue';
import { ModalPage } from '../modals/modal-page';
import type { createKeyOnPage } from '../plugin-keys/keys.server';
import type { CreatedKeyView, PluginKeysView } from '../plugin-keys/plugin-keys';
import { loadAccountPage } from './account.server';
import { AccountContents } from './account-contents';
import { AccountFlash } from './account-flash';
import type { AccountView } from './account-view.server';

export const handle = { i18n: ['account', 'tiers'] };
export const loader = loadAccountPage;
export { privateHeaders as headers, titleMeta as meta } from '../../http/page';
export { createKeyOnPage as action } from '../plugin-keys/keys.server';

export default function AccountPage() {
  const { section, flash } = useLoaderData<typeof loader>();
  return (
    <>
      <AccountFlash flash={flash} />
      <ModalPage modal="user:account" with={{ tab: section }} body={AccountPageBody} />
    </>
  );
}

function AccountPageBody({ tab, modal }: ModalBodyProps<'user:account'>) {
  const { account: loaded } = useLoaderData<typeof loadAccountPage>();
  const response = useActionData<typeof createKeyOnPage>() ?? null;
  const account = useMemo(() => withResponse(loaded, response), [loaded, response]);
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

interface CreateKeyResponse {
  readonly created: CreatedKeyView | null;
  readonly problem: PluginKeysView['problem'];
}

/** Adds the answer of the form without JavaScript. A repeated answer may name a key that is revoked by now. */
function withResponse(account: AccountView, response: CreateKeyResponse | null): AccountView {
  const { pluginKeys } = account;
  if (!pluginKeys || !response) return account;
  const { created, problem } = response;
  const isValid = created !== null && (pluginKeys.keys?.some(({ id }) => id === created.id) ?? true);
  return { ...account, pluginKeys: { ...pluginKeys, created: isValid ? created : null, problem } };
}
