import { asLayer } from '../core/pixels.ts';
import { decodePng } from '../core/png.ts';
import { activeTarget, openAsDocument, place } from '../host/documents.ts';
import { HostError } from '../host/modal.ts';
import { type Entry, forget, history } from '../work/memory.ts';
import type { App } from './app.ts';
import { button, el, replace, status, text } from './dom.ts';
import { messageOf } from './failure.ts';

/** What was placed from here and what the account has beside it. */
export function historyView(app: App): HTMLElement {
  const { t, service } = app;
  const view = el('main', { className: 'view' });
  const news = status();

  const tell = (work: () => Promise<string>) => async () => {
    news.textContent = t('panel.history.loading');
    try {
      news.textContent = await work();
    } catch (error) {
      news.textContent = messageOf(error, t);
    }
  };

  /** Addresses of files are short-lived: the task has a new one. */
  const again = (entry: Entry) =>
    tell(async () => {
      const task = await service?.task(entry.taskId);
      const { url, content_type: type } = task?.result?.outputs[0] ?? {};
      if (!service || !url) return t('panel.history.gone');
      if (type !== 'image/png') return t('panel.history.noPng');
      const pixels = asLayer(await decodePng(await service.load(url)), null);
      const target = activeTarget('document');
      const { width, height } = target.documentSize;
      const { left = 0, top = 0 } = entry;
      const bounds = { left, top, right: left + pixels.width, bottom: top + pixels.height };
      if (bounds.right > width || bounds.bottom > height) {
        await openAsDocument(pixels, entry.name, entry.title);
        return t('panel.run.doneDocument');
      }
      await place(target, { name: entry.name, commandName: entry.title, pixels, bounds, mask: null });
      return t('panel.run.done');
    });

  const remove = (entry: Entry, row: HTMLElement) =>
    tell(async () => {
      await service?.delete(entry.taskId);
      await forget(entry.taskId);
      row.remove();
      return t('panel.history.deleted');
    });

  const rowOf = (entry: Entry): HTMLElement => {
    const row = el('li');
    const at = new Date(entry.at).toLocaleString(app.language.replace('_', '-'), {
      dateStyle: 'short',
      timeStyle: 'short',
    });
    replace(
      row,
      text(entry.name),
      // Apart, as languages from right to left would mix them.
      el('div', { className: 'row' }, text(entry.title, 'quiet'), text(at, 'quiet')),
      el(
        'div',
        { className: 'row' },
        button(t('panel.history.place'), again(entry), { size: 's' }),
        button(t('panel.history.open'), () => app.open(`/result?taskId=${entry.taskId}`), { size: 's' }),
        button(t('panel.history.delete'), remove(entry, row), { size: 's' }),
      ),
    );
    return row;
  };

  const draw = async () => {
    news.textContent = t('panel.history.loading');
    const own = await history();
    const known = new Set(own.map(({ taskId }) => taskId));
    let others: Entry[] = [];
    try {
      const tasks = (await service?.recent()) ?? [];
      others = tasks
        .filter(({ task_id: id, result }) => !known.has(id) && result !== null)
        .map(({ task_id: taskId, input, created_at: at }) => ({
          taskId,
          name: input.file_name ?? '',
          title: 'Clearframe',
          at,
        }));
      news.textContent = '';
    } catch (error) {
      if (error instanceof HostError) throw error;
      news.textContent = messageOf(error, t);
    }
    const rows = [...own, ...others].sort((a, b) => b.at.localeCompare(a.at)).map(rowOf);
    replace(
      view,
      news,
      rows.length > 0 ? el('ul', { className: 'items' }, ...rows) : text(t('panel.history.none'), 'quiet'),
    );
  };
  replace(view, news);
  void draw();
  return view;
}
