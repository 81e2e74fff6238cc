import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/content/notice';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
import { AccountFlash } from '../account/account-flash';
import { EmptyHistory } from './empty-history';
import { FilterLinks } from './filter-links';
import { historyAddress } from './filters';
import { loadHistory } from './history.server';
import type { HistoryPage } from './history-view';
import { PhotoForm } from './photo-form';

export const handle = { i18n: ['account'] };
export const loader = loadHistory;
export { pageHeaders as headers } from '../../http/page-headers';
export { unlistedMeta as meta } from '../../http/page-meta';

export default function HistoryRoute() {
  const { page, flash } = useLoaderData<typeof loader>();
  return (
    <>
      <AccountFlash flash={flash} />
      <History page={page} />
    </>
  );
}

function History({ page }: { readonly page: HistoryPage }) {
  const { t } = useTranslation(['account', 'common']);
  const { items, filter, newer, older, problem } = page;
  if (items.length === 0 && filter === 'all') return <EmptyHistory />;
  return (
    <section className="mx-auto flex w-full max-w-7xl flex-1 flex-col gap-6 px-5 py-6 sm:px-8 sm:py-10">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="min-w-0 space-y-2">
          <h1 className="text-display-sm wrap-break-word hyphens-auto">{t('history.title')}</h1>
          <p className="text-pretty text-muted">{t('history.lead')}</p>
        </div>
        <FilterLinks filter={filter} />
      </div>
      {problem && <Notice>{t(`common:errors.${problem}`)}</Notice>}
      {items.length === 0 ? (
        <div className="flex flex-1 flex-col items-center justify-center gap-5 py-16">
          <p className="text-lg text-muted">{t('history.nothing.title')}</p>
          <AppLink to="/history" className={buttonClass('quiet')}>
            {t('history.nothing.all')}
          </AppLink>
        </div>
      ) : (
        // The key resets the selection for other photos.
        <PhotoForm key={items.map(({ task }) => task.taskId).join()} items={items} />
      )}
      {(newer ?? older) !== null && (
        <nav aria-label={t('history.pages')} className="flex flex-wrap justify-center gap-3 pt-2">
          {newer !== null && (
            <AppLink to={historyAddress(filter, { before: newer })} className={buttonClass('quiet')}>
              {t('history.newer')}
            </AppLink>
          )}
          {older !== null && (
            <AppLink to={historyAddress(filter, { after: older })} className={buttonClass('quiet')}>
              {t('history.older')}
            </AppLink>
          )}
        </nav>
      )}
    </section>
  );
}
