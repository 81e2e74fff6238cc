import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { inMilliseconds, megabytes } from '@clearframe/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { dropFolders } from '../../support/browser/dropped-folders.ts';
import { itInLongRun, itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { enlargeJpeg, slowUploads } from '../../support/browser/network.ts';
import { smallPicture } from '../../support/payments/checkout.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { until } from '../../support/product/until.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

let picture: { name: string; mimeType: string; buffer: Buffer };

/**
 * 40 MB: Chromium's limit of the speed lets some pass at once after an interruption. A path: files of a buffer have the present
 * time as their date.
 */
let largeFile: string;

beforeAll(async () => {
  picture = { name: 'sea.jpg', mimeType: 'image/jpeg', buffer: await smallPicture() };
  largeFile = join(await mkdtemp(join(tmpdir(), 'clearframe-upload-')), 'coast.jpg');
  await writeFile(largeFile, enlargeJpeg(picture.buffer, megabytes(40)));
});
afterAll(() => rm(dirname(largeFile), { recursive: true }));

describe('the samples', () => {
  itWithAndWithoutJavaScript('show their results at once', { short: 'without' }, async (javaScriptEnabled) => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled });
    await page.goto('/?v=spring');
    if (javaScriptEnabled) await untilHydrated(page);
    await page.getByAltText(text('home:samples.astronaut.alt')).waitFor();
    await page.getByRole('link', { name: text('home:samples.chelsea.label') }).click();
    await page.waitForURL('**/?sample=chelsea&v=spring');
    const source = await page
      .getByAltText(text('home:samples.chelsea.alt'))
      .evaluate((image: HTMLImageElement) => image.decode().then(() => image.currentSrc));
    expect(new URL(source).pathname).toMatch(/^\/samples\/chelsea-after\./);
    const gallery = page.getByRole('region', { name: text('home:samples.title') }).getByRole('img');
    await expect.poll(() => gallery.count()).toBe(4);
    for (const picture of await gallery.all()) {
      await picture.scrollIntoViewIfNeeded();
      const width = picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth));
      expect(await width).toBe(1440);
    }
    const tryYours = page.getByRole('link', { name: text('home:samples.try') });
    if (javaScriptEnabled) await Promise.all([page.waitForEvent('filechooser'), tryYours.click()]);
    else await tryYours.click();
    await expect.poll(() => new URL(page.url()).hash).toBe(javaScriptEnabled ? '' : '#upload-file');
    expectNoErrors();
    await close();
  });
});

describe('an upload', () => {
  it('waits while offline, asks before the page is closed, and resumes when online, after hours too', async () => {
    const { page, close } = await openPage(browser(), product.url);
    const addresses: string[] = [];
    await page.route('**/media/uploads/*', async (route) => {
      addresses.push(route.request().url());
      if (addresses.length > 1) return route.continue();
      // The first attempt fails, and its address expires.
      await page.evaluate((ms) => {
        const { now } = Date;
        Date.now = () => now() + ms;
      }, inMilliseconds.minutes(16));
      return route.abort();
    });
    await page.goto('/');
    await untilHydrated(page);
    await page.context().setOffline(true);
    await page.getByLabel('Choose a photo').setInputFiles(picture);
    await page.getByText(text('home:upload.offline')).waitFor();
    const [question] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })]);
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await page.context().setOffline(false);
    await page.waitForURL(/\/result\?taskId=/);
    expect(new Set(addresses).size).toBe(2);
    // Its messages are loaded during the upload.
    await page.getByRole('heading', { level: 1, name: text('result:heading') }).waitFor();
    await close();
  });

  itInLongRun(
    'of two folders that are dropped at once starts once, and says that a folder could not be read',
    async () => {
      const { page, close } = await openPage(browser(), product.url);
      const uploads: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST' && new URL(request.url()).pathname === '/uploads') uploads.push(request.url());
      });
      await page.goto('/');
      await untilHydrated(page);
      // Its code doesn't load.
      await page.route('**/folders-*.js', (route) => route.abort());
      await dropFolders(page, picture.buffer, 1);
      await page.getByRole('alert').getByText('Clearframe is unavailable').waitFor();
      await page.unroute('**/folders-*.js');
      await page.reload();
      await untilHydrated(page);
      await dropFolders(page, picture.buffer, 2);
      await page.waitForURL(/\/result\?taskId=/);
      expect(uploads).toHaveLength(1);
      await close();
    },
  );

  it('starts with files that were shared with the installed app', async () => {
    const manifest = await (await fetch(new URL('/manifest.webmanifest', product.url))).json();
    const { action, params } = manifest.share_target;
    expect(params.files[0].accept).toEqual(expect.arrayContaining(['image/heic', '.jpg', 'video/mp4']));
    const body = new FormData();
    body.append(
      params.files[0].name,
      new File([new Uint8Array(picture.buffer)], picture.name, { type: picture.mimeType }),
    );
    // As browsers send it: their own request, with an opaque origin.
    const headers = { origin: 'null', 'sec-fetch-site': 'none' };
    const answer = await fetch(new URL(action, product.url), { method: 'POST', body, headers, redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/taskId=[\da-f-]{36}/),
    ]);
  });

  it('starts with a file that the installed app was opened with', async () => {
    const { page, close } = await openPage(browser(), product.url);
    // Only installed apps have one, so this one hands over a file of the origin's own.
    await page.addInitScript((base64) => {
      const open = async (consume: (launch: { files: FileSystemFileHandle[] }) => void) => {
        const folder = await navigator.storage.getDirectory();
        const handle = await folder.getFileHandle('sea.jpg', { create: true });
        const writable = await handle.createWritable();
        await writable.write(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
        await writable.close();
        consume({ files: [handle] });
      };
      // Its own is read-only.
      const value = { setConsumer: (consume: Parameters<typeof open>[0]) => void open(consume) };
      Object.defineProperty(window, 'launchQueue', { value });
    }, picture.buffer.toString('base64'));
    await page.goto('/');
    await page.waitForURL(/\/result\?taskId=/);
    await close();
  });

  it('of a large file continues at its byte after an interruption, a pause and a reload', async () => {
    const { page, close } = await openPage(browser(), product.url);
    await page.goto('/');
    await untilHydrated(page);
    // The rest takes longer than the reload, on a slow machine too.
    const network = await slowUploads(page, megabytes(1));
    page.on('dialog', (question) => question.accept());
    await page.getByLabel('Choose a photo').setInputFiles(largeFile);
    const untilSent = (fraction: number) =>
      page.waitForFunction((least) => Number(document.querySelector('progress')?.value) >= least, fraction);
    await untilSent(0.1);
    // Not its first control, which leaves the page.
    await page.locator('.stage-dialog:focus').waitFor();
    await network.setOffline(true);
    await page.getByText(text('home:upload.offline')).waitFor();
    // What has been sent stays in view, and nothing moves.
    await untilSent(0.1);
    const light = () => page.locator('.gleam').evaluate((picture) => getComputedStyle(picture, '::after').content);
    expect(await light()).toBe('none');
    await network.setOffline(false);
    await untilSent(0.2);
    await page.getByRole('button', { name: text('home:upload.pause') }).click();
    await page.getByText('Paused at').waitFor();
    await page.getByRole('button', { name: text('home:upload.continue') }).click();
    await until('the upload continues', async () => network.patches.length === 3);
    await page.reload();
    await network.unlimit();
    await page.waitForURL(/\/result\?taskId=/);
    const [first, afterInterruption, afterPause, afterReload] = network.patches;
    expect(first).toBe(0);
    expect(afterInterruption).toBeGreaterThan(megabytes(1));
    expect(afterPause).toBeGreaterThan(megabytes(4));
    expect(afterReload).toBeGreaterThanOrEqual(afterPause ?? Number.NaN);
    await close();
  });

  itInLongRun('asks for the same file again when the browser has not kept it', async () => {
    const { page, close } = await openPage(browser(), product.url);
    await page.addInitScript(() => Object.defineProperty(window, 'indexedDB', { value: undefined }));
    await page.goto('/');
    await untilHydrated(page);
    const network = await slowUploads(page, megabytes(2));
    page.on('dialog', (question) => question.accept());
    await page.getByLabel('Choose a photo').setInputFiles(largeFile);
    await page.waitForFunction(() => Number(document.querySelector('progress')?.value) >= 0.1);
    await page.reload();
    await page.getByText(text('home:upload.interrupted', { name: basename(largeFile) })).waitFor();
    await network.unlimit();
    await page.getByLabel('Choose a photo').setInputFiles(largeFile);
    await page.waitForURL(/\/result\?taskId=/);
    expect(network.patches).toHaveLength(2);
    expect(network.patches[1]).toBeGreaterThan(megabytes(2));
    await close();
  });

  it('of a large file works without JavaScript', async () => {
    const { page, close } = await openPage(browser(), product.url, { javaScriptEnabled: false });
    await page.goto('/');
    await page.getByLabel(text('home:drop.label'), { exact: true }).setInputFiles(largeFile);
    await page.getByRole('button', { name: text('home:drop.submit') }).click();
    await page.waitForURL(/\/(?:processing|result)\?taskId=/);
    await close();
  });

  itInLongRun('keeps the file after an error of the server, to try again', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { expectedStatus: 503 });
    await page.goto('/');
    await untilHydrated(page);
    await page.route('**/uploads', (route) =>
      route.fulfill({ status: 503, json: { problem: { code: 'service.unavailable', requestId: 'x' } } }),
    );
    await page.getByLabel('Choose a photo').setInputFiles(picture);
    await page.getByRole('alert').getByText('Clearframe is unavailable').waitFor();
    await page.unroute('**/uploads');
    await page.getByRole('button', { name: text('home:upload.retry', { name: picture.name }) }).click();
    await page.waitForURL(/\/result\?taskId=/);
    expectNoErrors();
    await close();
  });

  itInLongRun('offers the camera on a phone, beside the files', async () => {
    const { page, close } = await openPage(browser(), product.url, { hasTouch: true, isMobile: true });
    await page.goto('/');
    const camera = page.getByLabel(text('home:drop.take'));
    await expect.poll(() => camera.getAttribute('capture')).toBe('environment');
    await expect.poll(() => page.getByLabel('Choose a photo').getAttribute('accept')).toMatch(/image\/heic.*\.heic/);
    await camera.setInputFiles(picture);
    await page.waitForURL(/\/result\?taskId=/);
    await close();
  });
});
