import { useFetcher, useLocation } from '@remix-run/react';
import Download from 'lucide-react/icons/download';
import Trash2 from 'lucide-react/icons/trash';
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RETURN_PARAMETER } from '../../http/internal-address';
import { Button } from '../../ui/controls/button';
import { useModals } from '../modals/modals';
import { CHANGE_PATH, ChangesContext } from './change-button';
import { archiveAddress, DOWNLOAD_PATH, downloadsOf } from './downloads';
import type { HistoryItem } from './history.server';
import { HistoryCard } from './history-card';

/** Photos to choose from. Without script its buttons open pages with the chosen ones. */
export function PhotoForm({ items }: { readonly items: readonly HistoryItem[] }) {
  const { search } = useLocation();
  const { open } = useModals();
  const changes = useFetcher();
  const { form, selected, isHydrated, update, selectAll } = useSelection();

  const download = () => {
    const downloads = downloadsOf(items.filter(({ task }) => selected.includes(task.taskId)));
    if (downloads.ready === selected.length && downloads.watermarked + downloads.small === 0)
      window.location.assign(archiveAddress(selected));
    else void open('history:download', downloads);
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent;
    const address = submitter?.getAttribute('formaction') ?? '';
    event.preventDefault();
    if (address.startsWith(CHANGE_PATH))
      changes.submit(null, { method: 'post', action: address, preventScrollReset: true });
    else if (selected.length === 0) return;
    else if (address.startsWith(DOWNLOAD_PATH)) download();
    else void open('history:delete', { taskIds: selected });
  };

  return (
    <form
      ref={form}
      method="get"
      action="/history/delete"
      onChange={update}
      onSubmit={onSubmit}
      className="flex flex-col gap-6"
    >
      <ReturnFields search={search} />
      <SelectionBar {...{ selected, isHydrated, selectAll }} total={items.length} />
      <ChangesContext.Provider value={changes.state === 'idle' ? null : (changes.formAction ?? null)}>
        <ul className="grid grid-cols-2 gap-x-4 gap-y-7 sm:grid-cols-3 sm:gap-x-6 lg:grid-cols-4 xl:grid-cols-5">
          {items.map((item) => (
            <HistoryCard key={item.task.taskId} item={item} />
          ))}
        </ul>
      </ChangesContext.Provider>
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

interface SelectionBarProps {
  readonly selected: readonly string[];
  readonly total: number;
  readonly isHydrated: boolean;
  readonly selectAll: (isChecked: boolean) => void;
}

function SelectionBar({ selected, total, isHydrated, selectAll }: SelectionBarProps) {
  const { t } = useTranslation('account');
  const count = selected.length;
  const isDisabled = isHydrated && count === 0;
  return (
    <div className="sticky top-2 z-10 flex items-center justify-end gap-2 rounded-card sm:gap-3 bg-raised/95 p-2 shadow-soft backdrop-blur">
      <label
        hidden={!isHydrated}
        className="me-auto flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-2.5 text-sm font-medium"
      >
        <input
          type="checkbox"
          ref={(box) => {
            if (box) box.indeterminate = count > 0 && count < total;
          }}
          checked={count === total}
          onChange={(event) => {
            // The form's handler reads the photos' boxes.
            event.stopPropagation();
            selectAll(event.currentTarget.checked);
          }}
          className="size-4.5 cursor-pointer accent-(--accent)"
        />
        {t('history.selectAll')}
      </label>
      <Button
        kind="quiet"
        size="small"
        type="submit"
        formAction={DOWNLOAD_PATH}
        disabled={isDisabled}
        className="min-h-11"
      >
        <Download aria-hidden className="size-4.5" />
        <ButtonText count={count}>
          {count > 0 ? t('history.downloadCount', { count }) : t('history.downloadChosen')}
        </ButtonText>
      </Button>
      <Button kind="quiet" size="small" type="submit" disabled={isDisabled} className="min-h-11">
        <Trash2 aria-hidden className="size-4.5" />
        <ButtonText count={count}>
          {count > 0 ? t('history.deleteCount', { count }) : t('history.deleteChosen')}
        </ButtonText>
      </Button>
    </div>
  );
}

function ButtonText({ count, children }: { readonly count: number; readonly children: string }) {
  return (
    <>
      <span className="max-sm:sr-only">{children}</span>
      {count > 0 && (
        <span aria-hidden className="sm:hidden">
          {count}
        </span>
      )}
    </>
  );
}

const boxesIn = (form: HTMLFormElement): HTMLInputElement[] => [
  ...form.querySelectorAll<HTMLInputElement>('input[type=checkbox][name=taskId]'),
];

/** The checked boxes of a form, which works without script. */
function useSelection() {
  const form = useRef<HTMLFormElement>(null);
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [isHydrated, setHydrated] = useState(false);
  const last = useRef<HTMLInputElement | null>(null);

  const update = useCallback(() => {
    if (form.current) setSelected(boxesIn(form.current).flatMap((box) => (box.checked ? [box.value] : [])));
  }, []);
  // Boxes may be checked before hydration, by the visitor or restored by the browser.
  useEffect(() => {
    setHydrated(true);
    update();
  }, [update]);

  // Shift also changes the boxes since the last one.
  useEffect(() => {
    const { current } = form;
    const onClick = ({ target, shiftKey }: MouseEvent) => {
      if (!current || !(target instanceof HTMLInputElement) || target.name !== 'taskId') return;
      const boxes = boxesIn(current);
      const from = shiftKey && last.current ? boxes.indexOf(last.current) : -1;
      const to = boxes.indexOf(target);
      // Assigned to the target, React would miss its change.
      const range = from < 0 ? [] : boxes.slice(Math.min(from, to), Math.max(from, to) + 1);
      for (const box of range) if (box !== target) box.checked = target.checked;
      last.current = target;
    };
    // Runs before the form reads the boxes.
    current?.addEventListener('click', onClick);
    return () => current?.removeEventListener('click', onClick);
  }, []);

  const selectAll = (isChecked: boolean) => {
    if (form.current) for (const box of boxesIn(form.current)) box.checked = isChecked;
    update();
  };

  return { form, selected, isHydrated, update, selectAll };
}
