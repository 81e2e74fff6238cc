import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { AccountFlash } from '../features/account/account-flash';
import { History } from '../features/tasks/history/history';
import { loadHistory } from '../features/tasks/history/history.server';

export const handle = { i18n: ['account'] };
export const loader = loadHistory;
export { pageHeaders as headers } from '../http/page-headers';

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex' },
];

export default function HistoryRoute() {
  const { page, flash } = useLoaderData<typeof loader>();
  return (
    <>
      <AccountFlash flash={flash} />
      <History page={page} />
    </>
  );
}
