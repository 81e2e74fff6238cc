import { useLocation } from '@remix-run/react';
import Trash2 from 'lucide-react/icons/trash';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RETURN_PARAMETER } from '../../../http/internal-address';
import { Button, buttonClass } from '../../../ui/controls/button';
import { AppLink } from '../../../ui/page/app-link';
import { useModals } from '../../modals/modals';
import { EmptyHistory } from './empty-history';
import { HistoryCard } from './history-card';
import type { HistoryPage } from './history-view';

export function History({ page }: { readonly page: HistoryPage }) {
  const { t } = useTranslation('account');
  const { items, next, isFirst } = page;
  if (items.length === 0) return <EmptyHistory />;
  return (
    <section className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-8 px-5 py-6 sm:px-8 sm:py-10">
      {/* The key resets the selection for other photos. */}
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

function PhotoForm({ items }: Pick<HistoryPage, 'items'>) {
  const { t } = useTranslation('account');
  const { search } = useLocation();
  const { open } = useModals();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [isHydrated, setHydrated] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // Checkboxes may be checked before hydration, by the visitor or restored by the browser.
  useEffect(() => {
    setHydrated(true);
    if (form.current) setSelected(selectedIn(form.current));
  }, []);

  const onChange = (event: FormEvent<HTMLFormElement>) => setSelected(selectedIn(event.currentTarget));
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent;
    // A button that tries a photo again.
    if (submitter?.hasAttribute('formaction')) return;
    event.preventDefault();
    void open('history:delete', { taskIds: selectedIn(event.currentTarget) });
  };

  return (
    <form
      ref={form}
      method="get"
      action="/history/delete"
      onChange={onChange}
      onSubmit={onSubmit}
      className="flex flex-col gap-8"
    >
      <ReturnFields search={search} />
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="min-w-0 space-y-2">
          <h1 className="text-display-sm wrap-break-word hyphens-auto">{t('history.title')}</h1>
          <p className="text-pretty text-muted">{t('history.lead')}</p>
        </div>
        <Button kind="quiet" type="submit" disabled={isHydrated && selected.length === 0}>
          <Trash2 aria-hidden className="size-4.5" />
          {selected.length > 0 ? t('history.deleteCount', { count: selected.length }) : t('history.deleteChosen')}
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

/** The return address and the version parameter, for the form without JavaScript. */
function ReturnFields({ search }: { readonly search: string }) {
  const query = new URLSearchParams(search);
  const version = query.get('v');
  query.delete('v');
  const rest = query.toString();
  return (
    <>
      <input type="hidden" name={RETURN_PARAMETER} value={`/history${rest && `?${rest}`}`} />
      {version !== null && <input type="hidden" name="v" value={version} />}
    </>
  );
}

const selectedIn = (form: HTMLFormElement): string[] => new FormData(form).getAll('taskId').map(String);
