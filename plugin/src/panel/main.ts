import { completeAbortSignal } from '../core/abort.ts';
import { type Choices, withoutFaces } from '../core/tools.ts';
import { activeTarget } from '../host/documents.ts';
import { lastFolders, pickFolders } from '../host/folders.ts';
import { onDocumentChange, setupEntrypoints, showAlert } from '../host/shell.ts';
import { enhance } from '../work/enhance.ts';
import { App } from './app.ts';
import { batchOf, batchView, worksIn } from './batch-view.ts';
import { connectView } from './connect-view.ts';
import { button, el, replace, text } from './dom.ts';
import { enhanceView, titleOf } from './enhance-view.ts';
import { isCancel, messageOf } from './failure.ts';
import { historyView } from './history-view.ts';

completeAbortSignal();
const app = new App();

const VIEWS = { enhance: enhanceView, batch: batchView, history: historyView } as const;
type ViewName = keyof typeof VIEWS;

/** The panel is one: Photoshop shows it once, and it lives until Photoshop ends. */
function drawPanel(root: HTMLElement): void {
  const { t } = app;
  root.setAttribute('dir', app.direction);
  root.setAttribute('lang', app.language.replace('_', '-'));
  const content = el('div');

  const start = () => {
    replace(content, text(t('panel.connect.checking')));
    app.start().then(
      (isConnected) => (isConnected ? show('enhance') : ask()),
      (error: unknown) => ask({ error, retry: start }),
    );
  };
  const ask = (failure?: { error: unknown; retry: () => void }) =>
    replace(content, connectView(app, { onConnected: () => show('enhance'), failure }));
  const signOut = async () => {
    await app.signOut();
    views = {};
    ask();
  };
  // Runs and batches go on while another view is shown; the history is read anew.
  let views: Partial<Record<ViewName, HTMLElement>> = {};
  const show = (shown: ViewName) => {
    if (shown === 'history') delete views.history;
    views[shown] ??= VIEWS[shown](app);
    const tabs = (Object.keys(VIEWS) as ViewName[]).map((name) =>
      el(
        'sp-action-button',
        {
          selected: name === shown,
          quiet: true,
          'aria-pressed': name === shown ? 'true' : 'false',
          onClick: () => show(name),
        },
        t(`panel.tabs.${name}`),
      ),
    );
    replace(
      content,
      el('nav', { className: 'row', 'aria-label': 'Clearframe' }, ...tabs),
      views[shown],
      el(
        'footer',
        { className: 'row' },
        button(t('panel.account.open'), () => app.open('/account/plugin-key'), { size: 's' }),
        button(t('panel.account.signOut'), signOut, { size: 's' }),
      ),
    );
  };

  const news = el('aside', { className: 'update' });
  const offerUpdate = async () => {
    const version = await app.update();
    if (!version) return;
    replace(
      news,
      text(t('panel.update.text', { version }), 'notice'),
      button(t('panel.update.get'), () => app.open('/plugin'), { size: 's' }),
    );
  };
  root.append(news, content);
  void offerUpdate();
  onDocumentChange(() => void app.onDocumentChange());
  start();
}

/** Menu commands play in Actions, without a dialog unless something fails. */
async function command(work: () => Promise<void>): Promise<void> {
  try {
    if (!app.service && !(await app.start())) throw new Error(app.t('panel.errors.connect'));
    await app.followDocument();
    await work();
  } catch (error) {
    if (isCancel(error)) return;
    await showAlert(app.service ? messageOf(error, app.t) : app.t('panel.errors.connect'));
  }
}

async function enhanceLayer(choices: Choices): Promise<void> {
  const { service } = app;
  if (!service) return;
  const title = titleOf(app);
  await enhance(activeTarget('layer'), {
    service,
    choices,
    upscale: app.offers.upscale,
    title,
    signal: new AbortController().signal,
    onStep: () => undefined,
  });
}

const only = (tool: 'face_enhance' | 'background_enhance'): Choices => ({
  tools: { [tool]: { model: 'base', strength: 1, ...app.choices.tools[tool], isOn: true } },
  upscale: 1,
  faces: {},
});

async function enhanceFolder(): Promise<void> {
  const works = await worksIn(app, (await lastFolders()) ?? (await pickFolders()));
  if (!works) return;
  const batch = batchOf(works, () => undefined);
  await batch.run();
  const failed = batch.items.find(({ error }) => error !== null);
  if (failed) throw failed.error;
}

// Lifecycle handlers have 300 ms: they only start work.
setupEntrypoints({
  panels: { main: { show: () => drawPanel(document.body) } },
  commands: {
    faces: { run: () => command(() => enhanceLayer(only('face_enhance'))) },
    cleanUp: { run: () => command(() => enhanceLayer(only('background_enhance'))) },
    last: { run: () => command(() => enhanceLayer(withoutFaces(app.choices))) },
    folder: { run: () => command(enhanceFolder) },
  },
});
