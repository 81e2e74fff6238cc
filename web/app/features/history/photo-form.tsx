import { useFetcher, useLocation } from '@remix-run/react';
import type { FormEvent } from 'react';
import { RETURN_PARAMETER } from '../../http/internal-address';
import { useModals } from '../modals/modals';
import { CHANGE_PATH, ChangesContext } from './changes';
import { archiveAddress, DOWNLOAD_PATH, downloadsOf } from './downloads';
import { HistoryCard } from './history-card';
import type { HistoryItem } from './history-view';
import { SelectionBar } from './selection-bar';
import { useSelection } from './use-selection';

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
