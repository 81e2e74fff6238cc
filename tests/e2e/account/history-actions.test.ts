import { createHash, randomUUID } from 'node:crypto';
import { taskRoutes } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { ApiClient } from '../../support/api-client.ts';
import { untilToast } from '../../support/browser/brief.ts';
import { bytesOf, useBrowser } from '../../support/browser/browser.ts';
import { itInLongRun, itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { placeOf, pressAgain } from '../../support/browser/presses.ts';
import { announce, cards, from, isLive, listed, names, PAGE_SIZE } from '../../support/history-page.ts';
import { openMember } from '../../support/members.ts';
import { FOR_SALE, NO_NETWORKS, smallPicture } from '../../support/payments/checkout.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { until } from '../../support/product/until.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

describe('downloading photos', () => {
  itWithAndWithoutJavaScript(
    'says which are left out, and downloads the others as a ZIP',
    { short: 'with' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
      await account.enhance(await smallPicture(), 'grandmother.jpg', FOR_SALE);
      await announce(account, 3);
      await page.goto('/history');
      if (javaScriptEnabled) {
        await isLive(page);
        const boxes = cards(page).getByRole('checkbox');
        await boxes.nth(0).click();
        await boxes.nth(2).click({ modifiers: ['Shift'] });
        await page.getByRole('button', { name: 'Download 3 photos' }).click();
        await page.getByRole('dialog').getByText('None of these photos is ready yet').waitFor();
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await page.getByRole('checkbox', { name: 'Select all' }).click();
        await expect.poll(() => cards(page).getByRole('checkbox', { checked: true }).count()).toBe(4);
      } else for (const box of await cards(page).getByRole('checkbox').all()) await box.check();
      await page.getByRole('button', { name: /^Download (4 photos|selected)$/ }).click();
      await page.getByText("3 photos aren't ready and won't be included.").waitFor();
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

  itInLongRun('compares with the original on focus, and downloads it untouched', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    const original = await smallPicture();
    const taskId = await account.enhance(original, 'grandmother.jpg', NO_NETWORKS);
    await until('the original has its thumbnail', async () => (await account.task(taskId)).display?.inputThumbnailUrl);
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
    const ask = page.getByRole('link', { name: 'Delete file' });
    await menu.click();
    await ask.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => names(page)).toEqual(from(3, 3));

    await menu.click();
    await ask.click();
    const confirm = page
      .getByRole('dialog', { name: 'Delete this file?' })
      .getByRole('button', { name: 'Delete file', exact: true });
    await pressAgain(page, await placeOf(confirm));
    await expect.poll(() => confirm.isEnabled()).toBe(true);
    await untilToast(page, 'Deleted', () => confirm.click());
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => names(page)).toEqual(['photo 3', 'photo 1']);
    expect(await listed(account)).toEqual(['photo 3', 'photo 1']);
    expectNoErrors();
    await close();
  });

  itInLongRun('deletes several photos selected by keyboard', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    await announce(account, 3);
    await page.goto('/history');
    await isLive(page);
    await page.getByRole('contentinfo').getByText(text('footer:promiseMember')).waitFor();
    const button = page.getByRole('button', { name: /^Delete/ });
    await expect.poll(() => button.isDisabled()).toBe(true);
    for (const name of ['photo 3', 'photo 1']) {
      await page.getByRole('checkbox', { name: text('account:history.choose', { name }) }).focus();
      await page.keyboard.press('Space');
    }
    await page.getByRole('button', { name: 'Delete 2 files' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete 2 files?' });
    // Focus is on the safe choice.
    const safe = dialog.getByRole('button', { name: 'Cancel' });
    await expect.poll(() => safe.evaluate((choice) => choice === document.activeElement)).toBe(true);
    await dialog.getByRole('button', { name: 'Delete 2 files' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: text('account:history.deleteChosen'), disabled: true }).waitFor();
    // The browser may show the notice before it has parsed the list.
    await expect.poll(() => names(page)).toEqual(['photo 2']);
    expect(await listed(account)).toEqual(['photo 2']);
    expectNoErrors();
    await close();
  });

  itInLongRun('works without JavaScript from a later page, and returns to it', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, {
      javaScriptEnabled: false,
    });
    await announce(account, PAGE_SIZE + 3);
    await page.goto('/history?v=b');
    await page.getByRole('link', { name: 'Older', exact: true }).click();
    await page.waitForURL(/[?&]after=/);
    const later = page.url();
    for (const name of [text('account:history.downloadChosen'), text('account:history.deleteChosen')]) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('status').getByText(text('account:history.nothingSelected')).waitFor();
      await expect.poll(() => page.url()).toBe(later);
      await page.goto(later);
      await page.getByRole('status').getByText(text('account:history.nothingSelected')).waitFor({ state: 'detached' });
    }
    await page.getByRole('checkbox', { name: 'Select photo 3' }).check();
    await page.getByRole('checkbox', { name: 'Select photo 1' }).check();
    await page.getByRole('button', { name: text('account:history.deleteChosen') }).click();
    await page.getByRole('heading', { level: 1, name: 'Delete 2 files?' }).waitFor();
    await page.getByRole('button', { name: 'Delete 2 files' }).click();
    await page.getByRole('status').getByText('Deleted').waitFor();
    await expect.poll(() => page.url()).toBe(later);
    // The browser may show the notice before it has parsed the list.
    await expect.poll(() => names(page)).toEqual(['photo 2']);

    // Deleting a page's last photo leads to the first page.
    await page.getByRole('button', { name: 'More for photo 2' }).click();
    await page.getByRole('link', { name: 'Delete file' }).click();
    await page.getByRole('button', { name: 'Delete file', exact: true }).click();
    await page.waitForURL('**/history?v=b');
    expect(await listed(account)).toEqual(from(PAGE_SIZE + 3, PAGE_SIZE));
    expectNoErrors();
    await close();
  });

  it('skips deleted photos and photos of other users', async () => {
    const { page, account, close } = await openMember(browser(), product.url);
    await announce(account, 2);
    const stranger = await ApiClient.createGuest(product.url);
    const { taskId: theirs } = await stranger.upload(await smallPicture());
    const ids = (await account.call(taskRoutes.listTasks, { query: {} })).data.map(({ taskId }) => taskId);
    const body = new URLSearchParams([...ids, theirs, randomUUID()].map((taskId) => ['taskId', taskId]));
    const response = await page.request.post(`${product.url}/history/delete`, {
      data: body.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(response.status()).toBe(200);
    expect(await listed(account)).toEqual([]);
    await stranger.task(theirs);
    await close();
  });
});
