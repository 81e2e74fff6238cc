import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useData } from '../../http/use-data';
import { type AccountSection, tabOf } from '../../session/account-tabs';
import { useRootData } from '../../session/root-data';
import { Notice } from '../../ui/content/notice';
import { Skeleton } from '../../ui/content/waiting';
import { Button } from '../../ui/controls/button';
import { ModalActions, ModalTitle } from '../../ui/modal/modal-frame';
import type { ModalBodyProps } from '../modals/catalogue';
import { AccountContents } from './account-contents';
import type { AccountView } from './account-view.server';
import { ACCOUNT_DATA, fetchAccount } from './fetch-account';

export function AccountModal(props: ModalBodyProps<'user:account'>) {
  return <FetchedAccount key={useRootData().visitor.kind} {...props} />;
}

function FetchedAccount({ tab, modal }: ModalBodyProps<'user:account'>) {
  const { t } = useTranslation(['account', 'common']);
  const shown = useRef<AccountView>();
  const {
    data: account,
    error,
    mutate,
  } = useData<AccountView>(ACCOUNT_DATA, {
    request: async () => withShownKey(await fetchAccount(), shown.current),
  });
  shown.current = account;

  if (account) {
    const change = (next: AccountView) => void mutate(next, { revalidate: false });
    return <AccountContents section={sectionIn(account, tab)} account={account} onChange={change} modal={modal} />;
  }
  if (!error) return <Loading />;
  return (
    <>
      <ModalTitle>{t('title')}</ModalTitle>
      <Notice>{t(`common:errors.${error.problem.code}`)}</Notice>
      <ModalActions>
        <Button kind="primary" onClick={() => void mutate()}>
          {t('common:tryAgain')}
        </Button>
      </ModalActions>
    </>
  );
}

/** Keeps a new plug-in key, which the server shows once. */
function withShownKey(fresh: AccountView, shown: AccountView | undefined): AccountView {
  const created = shown?.pluginKeys?.created;
  return created && fresh.pluginKeys ? { ...fresh, pluginKeys: { ...fresh.pluginKeys, created } } : fresh;
}

const sectionIn = ({ tabs, privacy }: AccountView, section: AccountSection): AccountSection =>
  tabs.includes(tabOf(section)) && (section !== 'privacy' || privacy) ? section : 'general';

function Loading() {
  const { t } = useTranslation('account');
  return (
    <div className="flex flex-col gap-6 sm:flex-row sm:gap-8" aria-busy="true">
      <div className="flex gap-1 sm:w-44 sm:shrink-0 sm:flex-col">
        <Skeleton className="h-11 w-28 sm:w-full" />
        <Skeleton className="h-11 w-28 sm:w-full" />
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-5">
        <ModalTitle>{t('title')}</ModalTitle>
        <Skeleton className="h-20 w-full rounded-card" />
        <Skeleton className="h-32 w-full rounded-card" />
        <Skeleton className="h-44 w-full rounded-card" />
      </div>
    </div>
  );
}
