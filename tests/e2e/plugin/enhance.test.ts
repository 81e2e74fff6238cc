import { randomUUID } from 'node:crypto';
import { pluginKeyRoutes, taskRoutes } from '@clearframe/contract';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { ApiClient } from '../../support/api-client.ts';
import { useBrowser } from '../../support/browser/browser.ts';
import { modify, PAST_DUE } from '../../support/payments/buyers.ts';
import { subscribe } from '../../support/payments/purchases.ts';
import { NARROW, openDocument, openPanel, showPanel } from '../../support/plugin-panel.ts';
import { blurredFace } from '../../support/portrait.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const SIDE = 200;
/** Columns of the picture that are transparent. */
const EDGE = 20;

async function openAccount() {
  const account = await ApiClient.logIn(product.url, `${randomUUID()}@example.com`);
  await subscribe(account, 'business');
  return { account, ...(await account.call(pluginKeyRoutes.createPluginKey, { body: {} })) };
}

/** The file that the product offers, in a browser. */
async function openProductPanel(options: { expectedStatus?: number } = {}) {
  const ccx = new Uint8Array(await (await fetch(`${product.url}/plugin/clearframe.ccx`)).arrayBuffer());
  return openPanel(browser(), product.url, { ccx, viewport: NARROW, ...options });
}

async function face(): Promise<Uint8Array> {
  const { data } = await sharp(await blurredFace(SIDE))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return data.map((level, at) => (at % 4 === 3 && (at >> 2) % SIDE < EDGE ? 0 : level));
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const panel = (key: string, values = {}) => text(`plugin:panel.${key}`, values);

async function connect(page: Page, key: string): Promise<void> {
  await page.getByLabel(panel('connect.keyLabel')).fill(key);
  await button(page, panel('connect.submit')).click();
  await button(page, panel('connect.activate')).click();
  await startButton(page).waitFor();
}

const startButton = (page: Page) => page.locator('.run').getByRole('button', { name: panel('run.start') });

async function run(page: Page): Promise<string> {
  await startButton(page).click();
  await startButton(page).waitFor();
  return (await page.locator('.run .status').textContent()) ?? '';
}

/** What the layers of the active document have at a place. */
const layersAt = (page: Page, x: number, y: number) =>
  page.evaluate(
    (at) =>
      (photoshopHost.activeDocument?.layers ?? []).map(({ name, samples, mask }) => ({
        name,
        rgba: [...samples.subarray(at * 4, at * 4 + 4)],
        mask: mask ? mask[at] : null,
      })),
    y * SIDE + x,
  );
/** How many samples of the newest layer differ from those below it. */
const changed = (page: Page) =>
  page.evaluate(() => {
    const [result, source] = photoshopHost.activeDocument?.layers ?? [];
    return Array.from(result?.samples ?? []).filter((level, at) => level !== source?.samples[at]).length;
  });
const selectColumns = (page: Page, from: number, to: number) =>
  page.evaluate(
    ({ start, end, side }) => {
      const document = photoshopHost.activeDocument;
      if (!document) throw new Error('no document');
      document.selected = new Uint8Array(side * side).map((_, at) => (at % side >= start && at % side < end ? 200 : 0));
      for (const listener of photoshopHost.listeners) listener();
    },
    { start: from, end: to, side: SIDE },
  );

it('the panel connects, enhances layers, selections and batches, and has their history', async () => {
  const { account, key } = await openAccount();
  const rgba = await face();
  const { page, expectNoErrors, close } = await openProductPanel();
  await openDocument(page, { name: 'face.psd', width: SIDE, height: SIDE, rgba });
  await showPanel(page);
  await connect(page, key);
  const [listed] = (await account.call(pluginKeyRoutes.listPluginKeys, { query: {} })).data;
  expect(listed?.deviceId).toMatch(/^ps-[\da-f]{32}$/);

  // A layer: its place and transparency are kept, and one step undoes it.
  expect(await run(page)).toBe(panel('run.done'));
  const [result, source] = await layersAt(page, EDGE - 1, 100);
  expect([result?.name, source?.name]).toEqual(['Portrait · Clearframe', 'Portrait']);
  expect(result?.rgba[3]).toBe(0);
  expect((await layersAt(page, EDGE, 100))[0]?.rgba[3]).toBe(255);
  expect(await changed(page)).toBeGreaterThan(SIDE * SIDE);
  await page.locator('.face sp-slider').waitFor();
  await page.evaluate(() => photoshopHost.activeDocument?.undo());
  expect(await layersAt(page, 100, 100)).toEqual([
    { name: 'Portrait', mask: null, rgba: [...rgba.subarray((100 * SIDE + 100) * 4).subarray(0, 4)] },
  ]);

  // A selection is the mask.
  await selectColumns(page, 60, 150);
  await page.getByLabel(panel('scope.label')).selectOption(panel('scope.selection'));
  expect(await run(page)).toBe(panel('run.done'));
  const masks = await Promise.all([59, 60, 149, 150].map(async (x) => (await layersAt(page, x, 100))[0]?.mask));
  expect(masks).toEqual([0, 200, 200, 0]);

  // 16 bits stay where only color is asked for.
  const deep = Uint16Array.from(rgba, (level) => Math.round((level * 32_768) / 255));
  await openDocument(page, { name: 'deep.tif', width: SIDE, height: SIDE, depth: 16, rgba: deep });
  expect(await run(page)).toBe(`${panel('run.done')} ${panel('run.converted')}`);
  for (const tool of ['faceEnhance', 'backgroundEnhance'])
    await page.getByRole('checkbox', { name: text(`result:panel.tools.${tool}`) }).uncheck();
  await page.getByRole('checkbox', { name: text('result:panel.tools.colorEnhance') }).check();
  expect(await run(page)).toBe(panel('run.done'));
  const isBetweenLevels = await page.evaluate(() =>
    Array.from(photoshopHost.activeDocument?.layers[0]?.samples ?? []).some(
      (level) => Math.round((Math.round((level * 255) / 32_768) * 32_768) / 255) !== level,
    ),
  );
  expect(isBetweenLevels).toBe(true);

  // Three documents, two at a time.
  await openDocument(page, { name: 'third.psd', width: SIDE, height: SIDE, rgba });
  await button(page, panel('tabs.batch')).click();
  await button(page, panel('batch.documents')).click();
  await page.getByText(panel('batch.done')).waitFor();
  const states = page.locator('.items .quiet');
  await expect.poll(() => states.allTextContents()).toEqual(Array(3).fill(panel('batch.states.done')));

  // A folder, whose files are sent as they are; results that exist are skipped.
  const tiff = await sharp(await blurredFace(SIDE))
    .tiff()
    .toBuffer();
  await page.evaluate((base64) => {
    const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer;
    const input = new Map(['scan.tif', 'done.tif'].map((name) => [name, { content }] as const));
    photoshopHost.folders.push(input, new Map([['done-enhanced.png', { content: '' }]]));
    Object.assign(globalThis, { results: photoshopHost.folders.at(-1) });
  }, tiff.toString('base64'));
  await button(page, panel('batch.more')).click();
  await button(page, panel('batch.folder')).click();
  await page.getByText(panel('batch.done')).waitFor();
  await expect
    .poll(() => states.allTextContents())
    .toEqual([panel('batch.states.done'), panel('batch.states.skipped')]);
  const written = await page.evaluate(() => {
    const { content } = (globalThis as unknown as { results: typeof photoshopHost.files }).results.get(
      'scan-enhanced.png',
    ) ?? { content: '' };
    return [...new Uint8Array(content as ArrayBuffer)];
  });
  expect(await sharp(Uint8Array.from(written)).metadata()).toMatchObject({ format: 'png', width: SIDE, height: SIDE });

  // Commands, which Actions may play, ask nothing.
  await page.evaluate(() => photoshopHost.entrypoints?.commands.folder?.run());
  const layersBefore = (await layersAt(page, 0, 0)).length;
  await page.evaluate(() => photoshopHost.entrypoints?.commands.faces?.run());
  expect(await layersAt(page, 0, 0)).toHaveLength(layersBefore + 1);
  await expect.poll(() => page.evaluate(() => [photoshopHost.alerts, photoshopHost.undisposed])).toEqual([[], 0]);

  await button(page, panel('tabs.history')).click();
  const rows = page.locator('.items > li');
  await expect.poll(() => rows.count()).toBe(9);
  const before = (await layersAt(page, 0, 0)).length;
  await rows
    .first()
    .getByRole('button', { name: panel('history.place') })
    .click();
  await page.getByText(panel('run.done')).waitFor();
  expect(await layersAt(page, 0, 0)).toHaveLength(before + 1);
  await rows
    .first()
    .getByRole('button', { name: panel('history.delete') })
    .click();
  await expect.poll(() => rows.count()).toBe(8);
  expect((await account.call(taskRoutes.listTasks, { query: {} })).data).toHaveLength(8);
  expectNoErrors();
  await close();
});

it('the panel outlasts a server that is away, and says when its key stops to be valid', async () => {
  const { account, key, id: keyId } = await openAccount();
  const rgba = await face();
  const { page, close } = await openProductPanel();
  await openDocument(page, { name: 'face.psd', width: SIDE, height: SIDE, rgba });
  await showPanel(page);
  await connect(page, key);

  // Another Photoshop has another id.
  const other = await openProductPanel({ expectedStatus: 409 });
  await showPanel(other.page);
  await other.page.getByLabel(panel('connect.keyLabel')).fill(key);
  await button(other.page, panel('connect.submit')).click();
  await other.page.getByText(text('common:errors.plugin_keys.device_mismatch')).waitFor();
  other.expectNoErrors();
  await other.close();

  // From the answer to the picture on, until it was asked again three times in vain.
  let failures = 0;
  const back = Promise.withResolvers<void>();
  page.on('requestfailed', () => {
    if (++failures === 3) back.resolve();
  });
  page.once('response', () => void page.context().setOffline(true));
  await startButton(page).click();
  await back.promise;
  await page.context().setOffline(false);
  await startButton(page).waitFor();
  await expect.poll(() => page.locator('.run .status').textContent()).toBe(panel('run.done'));
  expect((await account.call(taskRoutes.listTasks, { query: {} })).data).toHaveLength(1);

  await modify(account, PAST_DUE);
  expect(await run(page)).toBe(text('common:errors.plugin_keys.not_in_plan'));
  await account.call(pluginKeyRoutes.deletePluginKey, { params: { keyId } });
  expect(await run(page)).toBe(panel('errors.key'));
  expect(await layersAt(page, 0, 0)).toHaveLength(2);
  await close();
});
