import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/content/notice';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
import { LinkRow } from '../../ui/page/link-row';
import { AccountFlash } from '../account/account-flash';
import { FILTERS, type HistoryFilter, historyAddress } from './filters';
import { loadHistory } from './history.server';
import { PhotoForm } from './photo-form';

export const handle = { i18n: ['account'] };
export const loader = loadHistory;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function HistoryPage() {
  const { t } = useTranslation(['account', 'common']);
  const { page, flash } = useLoaderData<typeof loader>();
  const { items, filter, newer, older, problem } = page;
  if (items.length === 0 && filter === 'all')
    return (
      <>
        <AccountFlash flash={flash} />
        <EmptyHistory />
      </>
    );
  return (
    <>
      <AccountFlash flash={flash} />
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
    </>
  );
}

const FRAME = 'w-24 rounded-card min-[23rem]:w-32 object-cover shadow-float sm:w-40 aspect-[4/5]';

function EmptyHistory() {
  const { t } = useTranslation('account');
  return (
    <section className="mx-auto flex w-full max-w-xl flex-1 flex-col items-center justify-center gap-8 px-5 py-12 text-center sm:px-8">
      <div aria-hidden className="flex justify-center">
        <img
          src="/samples/chelsea-after.jpg"
          alt=""
          width={160}
          height={200}
          className={`${FRAME} translate-x-8 -rotate-8 rtl:-translate-x-8 rtl:rotate-8`}
        />
        <img
          src="/samples/astronaut-after.jpg"
          alt=""
          width={160}
          height={200}
          className={`${FRAME} relative z-1 -translate-y-3`}
        />
        <img
          src="/samples/coffee-after.jpg"
          alt=""
          width={160}
          height={200}
          className={`${FRAME} -translate-x-8 rotate-8 rtl:translate-x-8 rtl:-rotate-8`}
        />
      </div>
      <h1 className="text-display-sm wrap-break-word hyphens-auto">{t('history.empty.title')}</h1>
      <AppLink to="/" className={buttonClass('primary')}>
        {t('history.empty.start')}
      </AppLink>
    </section>
  );
}

function FilterLinks({ filter }: { readonly filter: HistoryFilter }) {
  const { t } = useTranslation('account');
  const links = FILTERS.map((name) => ({
    to: historyAddress(name),
    text: t(`history.filters.${name}`),
    isCurrent: name === filter,
  }));
  return <LinkRow label={t('history.filters.label')} links={links} />;
}
