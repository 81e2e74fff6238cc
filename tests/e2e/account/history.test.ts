import { createHash, randomUUID } from 'node:crypto';
import { hasResult, taskRoutes, type User } from '@clearframe/contract';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../../support/api-client.ts';
import { bytesOf, openPage, useBrowser } from '../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { openMember } from '../../support/identity/members.ts';
import { enhancePicture } from '../../support/payments/checkout.ts';
import { blurredPortrait } from '../../support/portrait.ts';
import { environmentOf, withDatabase } from '../../support/product/database.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { text } from '../../support/texts.ts';
import { until } from '../../support/until.ts';

const product = sharedProduct();
const browser = useBrowser();
let portrait: Buffer;

beforeAll(async () => {
  portrait = await blurredPortrait();
});

/** Guests' photos are deleted within a day. */
const DELETED_IN = /^Deleted in 2\d hours$/;
/** Photos per page. */
const PAGE_SIZE = 12;

const isLive = (page: Page) => page.waitForSelector('html[data-live]');
const cards = (page: Page) => page.getByRole('main').getByRole('listitem');
const names = (page: Page) =>
  cards(page)
    .getByRole('link', { name: /^photo \d+$/ })
    .allTextContents();
const from = (first: number, count: number) =>
  Array.from({ length: count }, (_, position) => `photo ${first - position}`);

/** Without files; the last is the newest. */
async function announce(account: ApiClient, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    await account.call(taskRoutes.createBulkUpload, {
      body: { imageContentType: 'image/jpeg', fileName: `photo ${number}` },
    });
  }
}

const listed = async (account: ApiClient) =>
  (await account.call(taskRoutes.listTasks, { query: { limit: 100 } })).data.map(({ input }) => input.fileName);

async function failTask({ webUserId }: User, taskId: string): Promise<void> {
  const { DATABASE_URL = '' } = await environmentOf(product, 'api');
  await withDatabase(DATABASE_URL, async (client) => {
    await client.query('BEGIN');
    // The api's user lock.
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`user:${webUserId}`]);
    const values = "status = 'failed', error_code = 'tasks.failed', outputs = '[]'";
    await client.query(`UPDATE tasks SET ${values} WHERE id = $1`, [taskId]);
    await client.query('COMMIT');
  });
}

describe('the history', () => {
  itWithAndWithoutJavaScript(
    'shows an empty state with a link to the upload',
    { short: 'without' },
    async (javaScriptEnabled) => {
      const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled });
      await page.goto('/history');
      await page.getByRole('heading', { name: 'No photos yet' }).waitFor();
      await page.getByRole('link', { name: 'Enhance a photo' }).click();
      await page.waitForURL(product.url);
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript('lists and opens a guest’s photos', { short: 'with' }, async (javaScriptEnabled) => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled });
    await enhancePicture(page);
    const result = new URL(page.url());
    await page.goto('/history');
    await cards(page).getByText(DELETED_IN).waitFor();
    await page.getByRole('contentinfo').getByText(text('footer:promise')).waitFor();
    const picture = cards(page).locator('img');
    const width = await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth));
    expect(width).toBeGreaterThan(0);
    await cards(page).getByRole('link').first().click();
    await page.waitForURL(`**/result?taskId=${result.searchParams.get('taskId')}`);
    expectNoErrors();
    await close();
  });

  it('updates a photo while it is enhanced', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    // The second waits until the first is cancelled.
    const long = await account.submit(await blurredPortrait(2000));
    const taskId = await account.submit(await blurredPortrait(96));
    const header = page.getByRole('banner').getByRole('link', { name: text('header:photos') });
    await expect.poll(() => page.goto('/').then(() => header.textContent())).toContain('2 running');
    await page.goto('/history');
    await cards(page)
      .first()
      .getByText(/Waiting|Enhancing/)
      .waitFor();
    await account.call(taskRoutes.cancelTask, { params: { taskId: long } });
    await until('it is done', async () => hasResult((await account.task(taskId)).status));
    await cards(page)
      .getByText(/Waiting|Enhancing/)
      .first()
      .waitFor({ state: 'detached' });
    expect(await cards(page).getByRole('link').first().getAttribute('href')).toBe(`/result?taskId=${taskId}`);
    expectNoErrors();
    await close();
  });

  itWithAndWithoutJavaScript('tries a failed photo again', { short: 'without' }, async (javaScriptEnabled) => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
    const taskId = await account.submit(await blurredPortrait(96), 'grandmother.jpg');
    await until('it is done', async () => hasResult((await account.task(taskId)).status));
    // No test picture makes the networks fail.
    await failTask(await account.me(), taskId);
    await page.goto(`/processing?taskId=${taskId}`);
    await page.getByRole('heading', { name: text('processing:failed.title') }).waitFor();
    await page.getByRole('button', { name: text('common:tryAgain') }).waitFor();
    await page.goto('/history');
    if (javaScriptEnabled) await isLive(page);
    await cards(page)
      .getByRole('button', { name: `${text('common:tryAgain')} grandmother.jpg` })
      .click();
    const result = cards(page).locator(`a[href="/result?taskId=${taskId}"]`);
    await result.or(cards(page).getByText(/Waiting|Enhancing/)).waitFor();
    expect(page.url()).toBe(`${product.url}/history`);
    if (!javaScriptEnabled) await until('it is done', async () => hasResult((await account.task(taskId)).status));
    if (!javaScriptEnabled) await page.goto('/history');
    await result.waitFor();
    expectNoErrors();
    await close();
  });

  itWithAndWithoutJavaScript('is paginated', { short: 'without' }, async (javaScriptEnabled) => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
    await announce(account, PAGE_SIZE + 2);
    await page.goto('/history?v=b');
    expect(await names(page)).toEqual(from(PAGE_SIZE + 2, PAGE_SIZE));
    await page.getByRole('link', { name: 'Older photos' }).click();
    await page.waitForURL(/\/history\?after=[\w-]+&v=b$/);
    await page.getByRole('link', { name: 'Older photos' }).waitFor({ state: 'detached' });
    expect(await names(page)).toEqual(from(2, 2));
    await page.getByRole('link', { name: 'Newer photos' }).click();
    await page.waitForURL('**/history?v=b');
    await page.getByRole('link', { name: 'Older photos' }).waitFor();
    expect(await names(page)).toEqual(from(PAGE_SIZE + 2, PAGE_SIZE));

    // A filter is kept from page to page.
    await page.getByRole('link', { name: 'In progress' }).click();
    await page.getByRole('link', { name: 'Older photos' }).click();
    await page.waitForURL(/\/history\?show=running&after=[\w-]+&v=b$/);
    await page.getByRole('link', { name: 'Older photos' }).waitFor({ state: 'detached' });
    expect(await names(page)).toEqual(from(2, 2));
    await page.getByRole('link', { name: 'Finished' }).click();
    await page.getByText('No photos here').waitFor();
    await page.getByRole('link', { name: 'Show all photos' }).click();
    await page.waitForURL('**/history?v=b');
    expectNoErrors();
    await close();
  });

  it('shows the first page when the cursor’s photo was deleted', async () => {
    const { page, account, close } = await openMember(browser(), product.url);
    await announce(account, 1);
    for (const after of [randomUUID(), 'nothing']) {
      await page.goto(`/history?after=${after}&v=b`);
      expect(page.url()).toBe(`${product.url}/history?v=b`);
    }
    await close();
  });
});

describe('downloading photos', () => {
  itWithAndWithoutJavaScript(
    'says which are left out, and downloads the others as a ZIP',
    { short: 'with' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
      await account.enhance(await blurredPortrait(96), 'grandmother.jpg');
      await announce(account, 3);
      await page.goto('/history');
      if (javaScriptEnabled) {
        await isLive(page);
        const boxes = cards(page).getByRole('checkbox');
        await boxes.nth(0).click();
        await boxes.nth(2).click({ modifiers: ['Shift'] });
        await page.getByRole('button', { name: 'Download 3 photos' }).click();
        await page.getByRole('dialog').getByText('None of the selected photos').waitFor();
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await page.getByRole('checkbox', { name: 'Select all' }).click();
        expect(await cards(page).getByRole('checkbox', { checked: true }).count()).toBe(4);
      } else for (const box of await cards(page).getByRole('checkbox').all()) await box.check();
      await page.getByRole('button', { name: /^Download (4 photos|selected)$/ }).click();
      await page.getByText("3 selected photos aren't finished and are left out.").waitFor();
      await page.getByText('1 photo has a watermark.').waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download 1 photo' }).click();
      const file = await download;
      expect(file.suggestedFilename()).toBe('clearframe-photos.zip');
      const zip = await bytesOf(file);
      expect(zip.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
      expect(zip.includes('grandmother-clearframe.jpg')).toBe(true);
      expectNoErrors();
      await close();
    },
  );

  it('compares with the original on focus, and downloads it untouched', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    const original = await blurredPortrait(96);
    const taskId = await account.enhance(original, 'grandmother.jpg');
    await page.goto('/history');
    await isLive(page);
    const before = cards(page).locator('img').nth(1);
    const opacity = () => before.evaluate((image) => Number(getComputedStyle(image).opacity));
    expect(await opacity()).toBe(0);
    await page.getByRole('checkbox', { name: 'Select all' }).focus();
    await cards(page).getByRole('link', { name: 'grandmother.jpg' }).focus();
    await expect.poll(opacity).toBe(1);

    await page.getByRole('button', { name: 'More for grandmother.jpg' }).press('Enter');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download original' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('grandmother.jpg');
    expect((await bytesOf(file)).equals(original)).toBe(true);
    const { input } = await account.task(taskId);
    expect(input.sha256).toBe(createHash('sha256').update(original).digest('hex'));
    expectNoErrors();
    await close();
  });
});

describe('deleting photos', () => {
  it('deletes one photo after a confirmation', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    await announce(account, 3);
    await page.goto('/history');
    await isLive(page);
    const menu = page.getByRole('button', { name: 'More for photo 2' });
    const ask = page.getByRole('link', { name: 'Delete photo 2' });
    await menu.click();
    await ask.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await names(page)).toEqual(from(3, 3));

    await menu.click();
    await ask.click();
    await page
      .getByRole('dialog', { name: 'Delete this photo?' })
      .getByRole('button', { name: 'Delete photo', exact: true })
      .click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Notifications' }).getByText('Deleted').waitFor();
    expect(await names(page)).toEqual(['photo 3', 'photo 1']);
    expect(await listed(account)).toEqual(['photo 3', 'photo 1']);
    expectNoErrors();
    await close();
  });

  it('deletes several photos selected by keyboard', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    await announce(account, 3);
    await page.goto('/history');
    await isLive(page);
    await page.getByRole('contentinfo').getByText(text('footer:promiseMember')).waitFor();
    const button = page.getByRole('button', { name: /^Delete/ });
    expect(await button.isDisabled()).toBe(true);
    for (const name of ['photo 3', 'photo 1']) {
      await page.getByRole('checkbox', { name: text('account:history.choose', { name }) }).focus();
      await page.keyboard.press('Space');
    }
    await page.getByRole('button', { name: 'Delete 2 photos' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete 2 photos?' });
    // Focus is on the safe choice.
    const safe = dialog.getByRole('button', { name: 'Cancel' });
    await expect.poll(() => safe.evaluate((choice) => choice === document.activeElement)).toBe(true);
    await dialog.getByRole('button', { name: 'Delete 2 photos' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: text('account:history.deleteChosen'), disabled: true }).waitFor();
    // The notice is parsed before the list.
    await expect.poll(() => names(page)).toEqual(['photo 2']);
    expect(await listed(account)).toEqual(['photo 2']);
    expectNoErrors();
    await close();
  });

  it('works without JavaScript from a later page, and returns to it', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, {
      javaScriptEnabled: false,
    });
    await announce(account, PAGE_SIZE + 3);
    await page.goto('/history?v=b');
    await page.getByRole('link', { name: 'Older photos' }).click();
    const later = page.url();
    await page.getByRole('button', { name: text('account:history.deleteChosen') }).click();
    await page.waitForURL('**/history?v=b');
    await page.goto(later);
    await page.getByRole('checkbox', { name: 'Select photo 3' }).check();
    await page.getByRole('checkbox', { name: 'Select photo 1' }).check();
    await page.getByRole('button', { name: text('account:history.deleteChosen') }).click();
    await page.getByRole('heading', { level: 1, name: 'Delete 2 photos?' }).waitFor();
    await page.getByRole('button', { name: 'Delete 2 photos' }).click();
    await page.getByRole('status').getByText('Deleted').waitFor();
    expect(page.url()).toBe(later);
    // The notice is parsed before the list.
    await expect.poll(() => names(page)).toEqual(['photo 2']);

    // Deleting a page's last photo leads to the first page.
    await page.getByRole('button', { name: 'More for photo 2' }).click();
    await page.getByRole('link', { name: 'Delete photo 2' }).click();
    await page.getByRole('button', { name: 'Delete photo', exact: true }).click();
    await page.waitForURL('**/history?v=b');
    expect(await listed(account)).toEqual(from(PAGE_SIZE + 3, PAGE_SIZE));
    expectNoErrors();
    await close();
  });

  it('skips deleted photos and photos of other users', async () => {
    const { page, account, close } = await openMember(browser(), product.url);
    await announce(account, 2);
    const stranger = await ApiClient.createGuest(product.url);
    const { taskId: theirs } = await stranger.upload(portrait);
    const ids = (await account.call(taskRoutes.listTasks, { query: {} })).data.map(({ taskId }) => taskId);
    const body = new URLSearchParams([...ids, theirs, randomUUID()].map((taskId) => ['taskId', taskId]));
    const answer = await page.request.post(`${product.url}/history/delete`, {
      data: body.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.status()).toBe(200);
    expect(await listed(account)).toEqual([]);
    await stranger.task(theirs);
    await close();
  });
});
