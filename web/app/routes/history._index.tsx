import { useLoaderData } from '@remix-run/react';
import { AccountFlash } from '../features/account/account-flash';
import { History } from '../features/tasks/history/history';
import { loadHistory } from '../features/tasks/history/history.server';

export const handle = { i18n: ['account'] };
export const loader = loadHistory;
export { pageHeaders as headers } from '../http/page-headers';
export { unlistedMeta as meta } from '../http/page-meta';

export default function HistoryRoute() {
  const { page, flash } = useLoaderData<typeof loader>();
  return (
    <>
      <AccountFlash flash={flash} />
      <History page={page} />
    </>
  );
}
