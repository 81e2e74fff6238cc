import { randomUUID } from 'node:crypto';
import { hasResult, type User } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { itInLongRun, itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { announce, cards, from, isLive, names, PAGE_SIZE } from '../../support/history-page.ts';
import { openMember } from '../../support/members.ts';
import { enhancePicture, FOR_SALE, smallPicture } from '../../support/payments/checkout.ts';
import { buyDownloads } from '../../support/payments/purchases.ts';
import { slowPortrait } from '../../support/portrait.ts';
import { environmentOf, withDatabase } from '../../support/product/database.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { until } from '../../support/product/until.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

/** Guests' photos are deleted within a day. */
const DELETED_IN = /^Deletes in 2\d hours$/;

async function failTask({ webUserId }: User, taskId: string): Promise<void> {
  const { DATABASE_URL = '' } = await environmentOf(product, 'api');
  await withDatabase(DATABASE_URL, async (client) => {
    await client.query('BEGIN');
    // The API's lock on a user's rows.
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`user:${webUserId}`]);
    const values = "status = 'failed', error_code = 'tasks.failed', outputs = '[]'";
    await client.query(`UPDATE tasks SET ${values} WHERE id = $1`, [taskId]);
    await client.query('COMMIT');
  });
}

itWithAndWithoutJavaScript(
  'a member’s home page has the last photos and what is left, in place of the plans',
  { short: 'without' },
  async (javaScriptEnabled) => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
    await page.goto('/');
    await page.getByRole('heading', { name: text('home:plans.title') }).waitFor();
    await buyDownloads(account, 3);
    const taskId = await account.enhance(await smallPicture(), 'harbor.jpg', FOR_SALE);
    await page.goto('/');
    await page.getByRole('heading', { name: text('account:history.title') }).waitFor();
    await page.getByRole('link', { name: 'Downloads 3 left' }).waitFor();
    await page.getByRole('link', { name: text('home:plans.link') }).waitFor();
    await expect.poll(() => page.getByRole('heading', { name: text('home:plans.title') }).count()).toBe(0);
    const photo = page.getByRole('main').getByRole('link', { name: 'harbor.jpg' });
    const width = await photo
      .locator('img')
      .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth));
    expect(width).toBeGreaterThan(0);
    await photo.click();
    await page.waitForURL(`**/result?taskId=${taskId}`);
    expectNoErrors();
    await close();
  },
);

describe('the history', () => {
  itWithAndWithoutJavaScript(
    'shows an empty state with a link to the upload',
    { short: 'neither' },
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
    const picture = cards(page).locator('img').first();
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
    const long = await account.submit(await slowPortrait());
    const taskId = await account.submit(await smallPicture());
    const header = page.getByRole('banner').getByRole('link', { name: text('header:photos') });
    await expect.poll(() => page.goto('/').then(() => header.textContent())).toContain('2 in progress');
    await page.goto('/history');
    await cards(page)
      .first()
      .getByText(/Waiting|Enhancing/)
      .waitFor();
    const running = cards(page).last();
    await running.getByRole('button', { name: text('common:cancel') }).click();
    await running.getByText(text('account:history.states.cancelled')).waitFor();
    expect((await account.task(long)).status).toBe('cancelled');
    await until('it is done', async () => hasResult((await account.task(taskId)).status));
    await cards(page)
      .getByText(/Waiting|Enhancing/)
      .first()
      .waitFor({ state: 'detached' });
    await expect
      .poll(() => cards(page).getByRole('link').first().getAttribute('href'))
      .toBe(`/result?taskId=${taskId}`);
    expectNoErrors();
    await close();
  });

  itWithAndWithoutJavaScript('tries a failed photo again', { short: 'neither' }, async (javaScriptEnabled) => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
    const taskId = await account.submit(await smallPicture(), 'grandmother.jpg');
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
    await expect.poll(() => page.url()).toBe(`${product.url}/history`);
    if (!javaScriptEnabled) await until('it is done', async () => hasResult((await account.task(taskId)).status));
    if (!javaScriptEnabled) await page.goto('/history');
    await result.waitFor();

    await failTask(await account.me(), taskId);
    await page.goto(`/processing?taskId=${taskId}`);
    await page.getByRole('button', { name: text('common:tryAgain') }).click();
    await page.waitForURL(`**/result?taskId=${taskId}*`);
    await page.getByAltText('Your photo after').waitFor();
    expectNoErrors();
    await close();
  });

  itWithAndWithoutJavaScript('is paginated', { short: 'without' }, async (javaScriptEnabled) => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
    await announce(account, PAGE_SIZE + 2);
    await page.goto('/history?v=b');
    await expect.poll(() => names(page)).toEqual(from(PAGE_SIZE + 2, PAGE_SIZE));
    await page.getByRole('link', { name: 'Older', exact: true }).click();
    await page.waitForURL(/\/history\?after=[\w-]+&v=b$/);
    await page.getByRole('link', { name: 'Older', exact: true }).waitFor({ state: 'detached' });
    await expect.poll(() => names(page)).toEqual(from(2, 2));
    await page.getByRole('link', { name: 'Newer', exact: true }).click();
    await page.waitForURL('**/history?v=b');
    await page.getByRole('link', { name: 'Older', exact: true }).waitFor();
    await expect.poll(() => names(page)).toEqual(from(PAGE_SIZE + 2, PAGE_SIZE));

    // A filter is kept from page to page.
    await page.getByRole('link', { name: 'In progress', exact: true }).click();
    await page.waitForURL('**/history?show=running&v=b');
    // The address changes before the page, whose links are those of all photos.
    await page.locator('[aria-current=page]').getByText('In progress', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Older', exact: true }).click();
    await page.waitForURL(/\/history\?show=running&after=[\w-]+&v=b$/);
    await page.getByRole('link', { name: 'Older', exact: true }).waitFor({ state: 'detached' });
    await expect.poll(() => names(page)).toEqual(from(2, 2));
    await page.getByRole('link', { name: 'Ready', exact: true }).click();
    await page.getByText(text('account:history.nothing.title')).waitFor();
    await page.getByRole('link', { name: 'Show all', exact: true }).click();
    await page.waitForURL('**/history?v=b');
    expectNoErrors();
    await close();
  });

  itInLongRun('shows the first page when the cursor’s photo was deleted', async () => {
    const { page, account, close } = await openMember(browser(), product.url);
    await announce(account, 1);
    for (const after of [randomUUID(), 'nothing']) {
      await page.goto(`/history?after=${after}&v=b`);
      await expect.poll(() => page.url()).toBe(`${product.url}/history?v=b`);
    }
    await close();
  });
});
