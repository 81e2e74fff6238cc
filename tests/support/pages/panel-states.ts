import type { Browser, Page, Route } from 'playwright-core';
import sharp from 'sharp';
import type { openPage, WatchedPage } from '../browser/browser.ts';
import { openDocument, openPanel, showPanel } from '../plugin-panel.ts';

const API = '/api/v1/web';
const KEY = `cfk_live_${'x'.repeat(43)}`;
const PICTURE = { width: 48, height: 60 };

type Answer = (route: Route) => Promise<void> | void;
const json =
  (body: object, status = 200): Answer =>
  (route) =>
    route.fulfill({ status, json: body });
/** As Chromium reports a navigation's end, which no console error follows. */
const away: Answer = (route) => route.abort('aborted');
const problem = (status: number, code: string): Answer => json({ error_code: code, error_description: code }, status);

const plans = (...models: (readonly [string, string])[]) =>
  models.map(([model, plan]) => ({ model, required_plan: plan }));
const STRENGTH = { min: 0, max: 1, default: 1 };
const SETTINGS = {
  ai_pipeline_config: [
    {
      tool: 'face_enhance',
      section: 'face',
      models: plans(['base', 'base'], ['v1', 'personal'], ['v2', 'personal']),
      strength: STRENGTH,
    },
    { tool: 'face_lifting', section: 'face', models: plans(['natural', 'business']), strength: STRENGTH },
    { tool: 'background_enhance', section: 'background', models: plans(['base', 'base']), strength: STRENGTH },
    {
      tool: 'bokeh',
      section: 'background',
      models: plans(['low', 'personal'], ['high', 'personal']),
      strength: STRENGTH,
    },
    {
      tool: 'color_enhance',
      section: 'color',
      models: plans(['golden', 'business'], ['softWarm', 'business']),
      strength: STRENGTH,
    },
  ],
  upscale_config: { factors: [1, 2, 4], max_side: 2048, max_pixels: 100_000_000 },
};
const FACE = { box: { x: 14, y: 10, width: 20, height: 24 }, restored: true, identity_similarity: 0.93 };

/** A task as the API answers it, as far as the panel reads it. */
const taskOf = (origin: string, status: string, changed: object = {}) => ({
  task_id: 'task-1',
  status,
  progress: status === 'completed' ? 1 : 0.4,
  queue_wait_num: status === 'created' ? 3 : null,
  remaining_seconds: status === 'completed' ? 0 : 12,
  error_code: null,
  created_at: '2026-11-29T10:00:00Z',
  input: { file_name: 'grandmother-in-the-garden-1962.png' },
  output_url: `${origin}/photoshop-result.png`,
  result: {
    outputs: [{ faces: [FACE], ...PICTURE, url: `${origin}/photoshop-result.png`, content_type: 'image/png' }],
  },
  ...changed,
});

/** The panel with an API whose answers the steps choose. */
export interface StatePanel {
  readonly page: Page;
  /** Answers by `GET /users/@me`; each can be replaced. */
  readonly answers: Map<string, Answer>;
  readonly task: (status: string, changed?: object) => Answer;
  /** Opens a document with a picture. */
  readonly open: (name?: string) => Promise<void>;
}

/** Steps to states of the panel, each of which is named when it is reached. */
type Steps = (panel: StatePanel, reached: (state: string) => Promise<void>) => Promise<void>;

const button = (page: Page, index: number, within = 'main') => page.locator(`${within} sp-button`).nth(index);
const statusText = (page: Page) => page.locator('main .status');
const untilStatus = (page: Page) => statusText(page).filter({ hasText: /\S/ }).first().waitFor();
const tab = (page: Page, index: number) => page.locator('nav sp-action-button').nth(index).click();
const START = '.run sp-button';

const connect: Steps = async ({ page, answers }, reached) => {
  await showPanel(page);
  await page.locator('sp-textfield').waitFor();
  await reached('connect');
  await page.keyboard.press('Tab');
  await page.keyboard.type('not a key');
  await page.keyboard.press('Enter');
  await untilStatus(page);
  await reached('connect-invalid');
  const refused = await statusText(page).textContent();
  answers.set('GET /users/@me', away);
  await page.locator('sp-textfield').evaluate((field, key) => Object.assign(field, { value: key }), KEY);
  await page.keyboard.press('Enter');
  await statusText(page)
    .filter({ hasNotText: refused ?? '' })
    .filter({ hasNotText: '…' })
    .filter({ hasText: /\S/ })
    .waitFor();
  await reached('connect-offline');
  const offline = await statusText(page).textContent();
  answers.set('GET /users/@me', problem(409, 'plugin_keys.device_mismatch'));
  await page.keyboard.press('Enter');
  await statusText(page)
    .filter({ hasNotText: offline ?? '' })
    .filter({ hasNotText: '…' })
    .filter({ hasText: /\S/ })
    .waitFor();
  await reached('connect-other-device');
  answers.set('GET /users/@me', json({ role: 'business' }));
  await button(page, 0).click();
  await page.locator('main sp-textfield').waitFor({ state: 'detached' });
  await reached('bind');
  await button(page, 0).click();
  await page.locator(START).waitFor();
  await reached('no-document');
};

const signedIn = async (page: Page, key = KEY) => {
  await page.evaluate((value) => {
    photoshopHost.secrets.set('key', new TextEncoder().encode(value));
  }, key);
};

const tools: Steps = async ({ page, answers, open }, reached) => {
  await signedIn(page, KEY.replace('live', 'test'));
  answers.set('GET /latest.json', json({ version: '9.0.0' }));
  await open('Familie-Sommer-1962-Großeltern-im-Garten.psd');
  await showPanel(page);
  await page.locator(START).waitFor();
  await page.locator('.update .notice').waitFor();
  await reached('tools-test-key');
  const checkboxes = page.locator('sp-checkbox');
  for (const index of [1, 3, 4]) await checkboxes.nth(index).locator('input').check();
  await page.locator('.tool sp-picker').last().locator('select').selectOption({ index: 1 });
  await page.locator('.presets sp-textfield input').fill('Portraits of my grandparents');
  await page.locator('.presets sp-button').first().click();
  await page.locator('.presets sp-picker').waitFor();
  await reached('tools-all-and-preset');
};

const locked: Steps = async ({ page, answers, open }, reached) => {
  await signedIn(page);
  answers.set('GET /users/@me', json({ role: 'base' }));
  await open();
  await showPanel(page);
  await page.locator('.locked').first().waitFor();
  await reached('tools-locked');
};

const refusedAtStart: Steps = async ({ page, answers, open }, reached) => {
  await signedIn(page);
  answers.set('GET /users/@me', problem(403, 'plugin_keys.not_in_plan'));
  await open();
  await showPanel(page);
  await untilStatus(page);
  await reached('start-refused');
  answers.set('GET /users/@me', json({ role: 'business' }));
  await button(page, 0).click();
  await page.locator(START).waitFor();
};

const run: Steps = async ({ page, answers, task, open }, reached) => {
  const accepted = answers.get('POST /enhance') as Answer;
  await signedIn(page);
  await open();
  await page.evaluate(() => {
    Object.assign(photoshopHost.activeDocument ?? {}, { mode: 'CMYKColorMode' });
  });
  await showPanel(page);
  const [sent, received] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  answers.set('POST /enhance', async (route) => {
    sent.resolve();
    await received.promise;
    await accepted(route);
  });
  answers.set('GET /tasks/task-1', task('created'));
  await page.locator(START).click();
  await sent.promise;
  await reached('run-sending');
  received.resolve();
  answers.set('POST /enhance', accepted);
  await statusText(page).filter({ hasText: '3' }).waitFor();
  await reached('run-waiting');
  answers.set('GET /tasks/task-1', task('processing'));
  await statusText(page).filter({ hasText: '12' }).filter({ hasNotText: '3' }).waitFor();
  await reached('run-processing');
  answers.set('GET /tasks/task-1', task('completed'));
  await page.locator('.face').waitFor();
  await reached('run-done-with-faces');
  answers.set('GET /tasks/task-1', task('processing'));
  await page.locator(START).click();
  await page.locator('sp-progressbar').waitFor();
  await page.locator(START).click();
  await page.locator('sp-progressbar').waitFor({ state: 'detached' });
  await reached('run-canceled');
  answers.set('POST /enhance', problem(403, 'pipeline.not_in_plan'));
  await page.locator(START).click();
  await untilStatus(page);
  await page.locator('sp-progressbar').waitFor({ state: 'detached' });
  await reached('run-refused');
  answers.set('POST /enhance', accepted);
  answers.set('GET /tasks/task-1', task('completed'));
  await page.locator('.tool sp-picker').last().locator('select').selectOption({ index: 1 });
  const refused = await statusText(page).textContent();
  await page.locator(START).click();
  await statusText(page)
    .filter({ hasNotText: refused ?? '' })
    .waitFor();
  await page.locator('sp-progressbar').waitFor({ state: 'detached' });
  await reached('run-enlarged');
  await page.evaluate(() => {
    Object.assign(photoshopHost.activeDocument ?? {}, { mode: 'bitmapMode' });
  });
  const enlarged = await statusText(page).textContent();
  await page.locator(START).click();
  await statusText(page)
    .filter({ hasNotText: enlarged ?? '' })
    .filter({ hasText: /\S/ })
    .waitFor();
  await reached('run-other-mode');
};

const selection: Steps = async ({ page, open }, reached) => {
  await signedIn(page);
  await open();
  await page.evaluate(({ width, height }) => {
    const selected = new Uint8Array(width * height).fill(255, 0, (width * height) / 2);
    Object.assign(photoshopHost.activeDocument ?? {}, { selected });
  }, PICTURE);
  await showPanel(page);
  await page.locator(START).waitFor();
  await reached('selection');
  await page.evaluate(() => {
    photoshopHost.isBusy = true;
  });
  await page.locator(START).click();
  await untilStatus(page);
  await page.locator('sp-progressbar').waitFor({ state: 'detached' });
  await reached('busy');
};

const batch: Steps = async ({ page, answers, task, open }, reached) => {
  await signedIn(page);
  await open('one.psd');
  await open('two.psd');
  await showPanel(page);
  await tab(page, 1);
  await reached('batch');
  await page.evaluate(() => {
    photoshopHost.folders.push(new Map([['notes.txt', { content: '' }]]), new Map());
  });
  await button(page, 2).click();
  await untilStatus(page);
  await reached('batch-empty');
  await page.evaluate(() => {
    const photos = Array.from({ length: 51 }, (_, index) => [`photo-${index}.jpg`, { content: '' }] as const);
    photoshopHost.folders.push(new Map(photos), new Map());
  });
  await button(page, 2).click();
  await page.getByText('51').waitFor();
  await reached('batch-confirm');
  await button(page, 1).click();
  answers.set('GET /tasks/task-1', task('processing'));
  await button(page, 1).click();
  await page.getByText('54').first().waitFor();
  await reached('batch-running');
  answers.set('GET /tasks/task-1', problem(403, 'plugin_keys.not_in_plan'));
  await untilStatus(page);
  await reached('batch-stopped');
  const stopped = await statusText(page).textContent();
  answers.set('GET /tasks/task-1', task('completed'));
  await button(page, 0).click();
  await statusText(page)
    .filter({ hasNotText: stopped ?? '' })
    .filter({ hasText: /\S/ })
    .waitFor();
  await reached('batch-done');
  answers.set('GET /tasks/task-1', task('failed', { error_code: 'tasks.failed' }));
  await page.evaluate(() => {
    const photos = ['first.jpg', 'second.jpg'].map((name) => [name, { content: '' }] as const);
    photoshopHost.folders.push(new Map(photos), new Map([['first-enhanced.jpg', { content: '' }]]));
  });
  await button(page, 0).click();
  await button(page, 2).click();
  await untilStatus(page);
  await reached('batch-skipped-and-failed');
};

const history: Steps = async ({ page, answers, task, open }, reached) => {
  await signedIn(page);
  await showPanel(page);
  await page.locator(START).waitFor();
  await tab(page, 2);
  await page.locator('main .quiet').waitFor();
  await reached('history-empty');
  answers.set('GET /tasks', json({ data: [taskOf('', 'completed')], has_more: false }));
  await tab(page, 2);
  await page.locator('.items').waitFor();
  await reached('history');
  answers.set('GET /tasks/task-1', task('completed', { result: null }));
  await button(page, 0).click();
  await untilStatus(page);
  await reached('history-gone');
  answers.set('GET /tasks/task-1', task('completed'));
  await open();
  const gone = await statusText(page).textContent();
  await button(page, 0).click();
  await statusText(page)
    .filter({ hasNotText: gone ?? '' })
    .filter({ hasNotText: '…' })
    .waitFor();
  await reached('history-placed');
  answers.set('DELETE /tasks/delete', json({ not_found: [] }));
  await button(page, 2).click();
  await page.locator('.items li').waitFor({ state: 'detached' });
  await untilStatus(page);
  await reached('history-deleted');
};

/** All states of the panel, in groups that share a page. */
export const PANEL_STATES: Readonly<Record<string, { readonly steps: Steps; readonly expectedStatus?: number }>> = {
  connect: { steps: connect, expectedStatus: 409 },
  tools: { steps: tools },
  locked: { steps: locked },
  refusedAtStart: { steps: refusedAtStart, expectedStatus: 403 },
  run: { steps: run, expectedStatus: 403 },
  selection: { steps: selection },
  batch: { steps: batch, expectedStatus: 403 },
  history: { steps: history },
};

type PanelOptions = Parameters<typeof openPage>[2] & { readonly ccx: Uint8Array; readonly uiLocale?: string };

/** The panel before it is shown, with an account of Business and an API that answers at once. */
export async function openStatePanel(
  browser: Browser,
  origin: string,
  options: PanelOptions,
): Promise<StatePanel & WatchedPage> {
  const watched = await openPanel(browser, origin, options);
  const { page } = watched;
  const paint = { create: { ...PICTURE, channels: 4, background: '#8a6d5a' } } as const;
  const [png, changes, rgba] = await Promise.all([
    sharp(paint).png().toBuffer(),
    sharp(paint).toColourspace('b-w').removeAlpha().png().toBuffer(),
    sharp(paint).raw().toBuffer(),
  ]);
  const task = (status: string, changed?: object) => json(taskOf(origin, status, changed));
  const picture =
    (body: Buffer): Answer =>
    (route) =>
      route.fulfill({ body, contentType: 'image/png' });
  const answers = new Map<string, Answer>([
    ['GET /users/@me', json({ role: 'business' })],
    ['POST /settings', json(SETTINGS)],
    ['POST /plugin-keys/activate', json({})],
    ['POST /enhance', json(taskOf(origin, 'created'), 202)],
    ['GET /tasks', json({ data: [], has_more: false })],
    ['GET /tasks/task-1', task('completed')],
    ['POST /tasks/task-1/changes', picture(changes)],
    ['POST /tasks/task-1/cancel', task('cancelled')],
    ['GET /photoshop-result.png', picture(png)],
    ['GET /latest.json', json({ version: '0.0.1' })],
  ]);
  const answer = (route: Route) => {
    const request = route.request();
    const path = new URL(request.url()).pathname.replace(API, '').replace('/plugin/latest', '/latest');
    return (answers.get(`${request.method()} ${path}`) ?? problem(404, 'tasks.not_found'))(route);
  };
  for (const path of [`${API}/**`, '/photoshop-result.png', '/plugin/latest.json'])
    await page.route(`${origin}${path}`, answer);
  const open = (name = 'portrait.psd') => openDocument(page, { name, ...PICTURE, rgba });
  return { ...watched, page, answers, task, open };
}
