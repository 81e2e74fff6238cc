import { useActionData, useLoaderData } from '@remix-run/react';
import { useMemo, useState } from 'react';
import type { ModalBodyProps } from '../modals/catalogue';
import type { loadAccountPage } from './account.server';
import { AccountContents } from './account-contents';
import type { createKeyOnPage } from './plugin-key/keys.server';
import type { AccountView } from './view/account-view';
import type { CreatedKeyView, PluginKeysView } from './view/plugin-keys';

export function AccountPageBody({ tab, modal }: ModalBodyProps<'user:account'>) {
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
