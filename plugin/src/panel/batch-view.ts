import { Batch, type Item } from '../core/queue.ts';
import { withoutFaces } from '../core/tools.ts';
import { openDocuments, selectedLayers, type Target } from '../host/documents.ts';
import { type Folders, pickFolders } from '../host/folders.ts';
import { enhance, type Step } from '../work/enhance.ts';
import { enhanceFile } from '../work/folder-batch.ts';
import type { App } from './app.ts';
import { button, el, replace, status, text } from './dom.ts';
import { titleOf } from './enhance-view.ts';
import { messageOf } from './failure.ts';

/** Photoshop is one: its pixels are read and written for one picture at a time. */
const CONCURRENCY = 2;
const ASK_ABOVE = 50;

type Work = (signal: AbortSignal, onProgress: (share: number) => void) => Promise<boolean>;
type Works = { readonly work: Work; readonly name: string }[];

function worksOf(app: App, targets: readonly Target[]): Works {
  const { service, offers } = app;
  const choices = withoutFaces(app.choices);
  const title = titleOf(app);
  return targets.map((target) => ({
    name: target.layerName,
    work: async (signal, onProgress) => {
      if (!service) return false;
      const onStep = ({ share }: Step) => onProgress(share);
      await enhance(target, { service, choices, upscale: offers.upscale, title, signal, onStep });
      return true;
    },
  }));
}

export async function worksIn(
  { service, choices: chosen, offers: { upscale } }: App,
  folders: Folders | null,
): Promise<Works | null> {
  const choices = withoutFaces(chosen);
  if (!folders || !service) return null;
  const { input, output } = folders;
  const pictures = await input.pictures();
  return pictures.map((picture) => ({
    name: picture.name,
    work: (signal, onProgress) => enhanceFile(picture, output, { service, choices, upscale, signal, onProgress }),
  }));
}

export const batchOf = (works: Works, onChange: () => void): Batch<Work> =>
  new Batch(works, {
    concurrency: CONCURRENCY,
    run: (work, signal, onProgress) => work(signal, onProgress),
    onChange,
  });

/** Several layers, documents or files with the chosen tools. */
export function batchView(app: App): HTMLElement {
  const { t } = app;
  const view = el('main', { className: 'view' });

  const choose = (message = '') => {
    const news = status();
    news.textContent = message;
    const from = (find: () => Promise<Works | null> | Works) => async () => {
      try {
        const works = await find();
        if (!works) return;
        if (works.length === 0) news.textContent = t('panel.batch.empty');
        else if (works.length > ASK_ABOVE) confirm(works);
        else await run(works);
      } catch (error) {
        news.textContent = messageOf(error, t);
      }
    };
    replace(
      view,
      text(t('panel.batch.lead')),
      button(
        t('panel.batch.layers'),
        from(() => worksOf(app, selectedLayers())),
      ),
      button(
        t('panel.batch.documents'),
        from(() => worksOf(app, openDocuments())),
      ),
      button(
        t('panel.batch.folder'),
        from(async () => worksIn(app, await pickFolders())),
      ),
      text(t('panel.batch.folderHint'), 'quiet'),
      news,
    );
  };

  const confirm = (works: Works) =>
    replace(
      view,
      text(t('panel.batch.confirm', { count: works.length })),
      button(t('panel.run.start'), () => void run(works), { variant: 'cta' }),
      button(t('panel.run.cancel'), () => choose()),
    );

  const run = async (works: Works) => {
    const list = el('ul', { className: 'items' });
    const news = status();
    const buttons = el('div', { className: 'row' });
    const batch = batchOf(works, () => draw());
    const rows = batch.items.map((item) => {
      const state = text('', 'quiet');
      list.append(el('li', {}, text(item.name), state));
      return { item, state };
    });
    const draw = () => {
      for (const { item, state } of rows) state.textContent = stateText(app, item);
    };
    const work = async (start: () => Promise<void>) => {
      replace(
        buttons,
        button(t('panel.run.cancel'), () => batch.cancel()),
      );
      news.textContent = '';
      await start();
      news.textContent = batch.stoppedBy
        ? `${messageOf(batch.stoppedBy, t)} ${t('panel.batch.stopped')}`
        : t('panel.batch.done');
      const isOpen = batch.items.some(({ state }) => state === 'failed' || state === 'stopped');
      replace(
        buttons,
        isOpen && button(t('panel.batch.retry'), () => void work(() => batch.retry())),
        button(t('panel.batch.more'), () => choose()),
      );
    };
    replace(view, news, buttons, list);
    draw();
    await work(() => batch.run());
  };

  choose();
  return view;
}

function stateText({ t, language }: App, { state, progress, error }: Item<Work>): string {
  if (state === 'running') return progress.toLocaleString(language.replace('_', '-'), { style: 'percent' });
  return state === 'failed' ? messageOf(error, t) : t(`panel.batch.states.${state}`);
}
