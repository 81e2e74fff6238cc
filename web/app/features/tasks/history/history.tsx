import { useLocation } from '@remix-run/react';
import Trash2 from 'lucide-react/icons/trash';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, buttonClass } from '../../../ui/controls/button';
import { AppLink } from '../../../ui/page/app-link';
import { useModals } from '../../modals/modals';
import { EmptyHistory } from './empty-history';
import { HistoryCard } from './history-card';
import { HistoryFormFields } from './history-form-fields';
import type { HistoryPage } from './history-view';

/** Past photos, to be opened again or deleted. */
export function History({ page }: { readonly page: HistoryPage }) {
  const { t } = useTranslation('account');
  const { items, next, isFirst } = page;
  if (items.length === 0) return <EmptyHistory />;
  return (
    <section className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-8 px-5 py-6 sm:px-8 sm:py-10">
      {/* Other photos begin with none of them chosen. */}
      <PhotoForm key={items.map(({ task }) => task.taskId).join()} items={items} />
      {(next !== null || !isFirst) && (
        <nav aria-label={t('history.pages')} className="flex flex-wrap justify-center gap-3">
          {!isFirst && (
            <AppLink to="/history" className={buttonClass('quiet')}>
              {t('history.newest')}
            </AppLink>
          )}
          {next !== null && (
            <AppLink to={`/history?after=${next}`} className={buttonClass('quiet')}>
              {t('history.older')}
            </AppLink>
          )}
        </nav>
      )}
    </section>
  );
}

/** The photos of a page. Those that are chosen can be deleted together. */
function PhotoForm({ items }: Pick<HistoryPage, 'items'>) {
  const { t } = useTranslation('account');
  const { search } = useLocation();
  const { open } = useModals();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [isLive, setLive] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // Some may have been chosen before there was script, or are chosen again by the browser on the way back.
  useEffect(() => {
    setLive(true);
    if (form.current) setChosen(chosenIn(form.current));
  }, []);

  const note = (event: FormEvent<HTMLFormElement>) => setChosen(chosenIn(event.currentTarget));
  const ask = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void open('history:delete', { taskIds: chosenIn(event.currentTarget) });
  };

  return (
    <form
      ref={form}
      method="get"
      action="/history/delete"
      onChange={note}
      onSubmit={ask}
      className="flex flex-col gap-8"
    >
      <HistoryFormFields search={search} />
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="min-w-0 space-y-2">
          <h1 className="text-display-sm wrap-break-word hyphens-auto">{t('history.title')}</h1>
          <p className="text-pretty text-muted">{t('history.lead')}</p>
        </div>
        <Button kind="quiet" type="submit" disabled={isLive && chosen.length === 0}>
          <Trash2 aria-hidden className="size-4.5" />
          {chosen.length > 0 ? t('history.deleteCount', { count: chosen.length }) : t('history.deleteChosen')}
        </Button>
      </div>
      <ul className="grid grid-cols-2 gap-x-4 gap-y-7 sm:grid-cols-3 sm:gap-x-6 lg:grid-cols-4">
        {items.map((item) => (
          <HistoryCard key={item.task.taskId} item={item} />
        ))}
      </ul>
    </form>
  );
}

const chosenIn = (form: HTMLFormElement): string[] => new FormData(form).getAll('taskId').map(String);
