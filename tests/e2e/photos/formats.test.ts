import { resultRoutes } from '@clearframe/contract';
import type { Locator, Page, Route } from 'playwright-core';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { bytesOf, useBrowser } from '../../support/browser/browser.ts';
import { itInLongRun } from '../../support/browser/javascript.ts';
import { openMember } from '../../support/members.ts';
import { FOR_SALE, SMALL_PICTURE, smallPicture } from '../../support/payments/checkout.ts';
import { buyDownloads, subscribe } from '../../support/payments/purchases.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const FORMATS = [
  ['JPG 90', 'jpeg'],
  ['JPG 100', 'jpeg'],
  ['PNG', 'png'],
  ['TIFF', 'tiff'],
] as const;

/** Nothing is enlarged. */
const START = { upscale: { factor: 1 } } as const;

/** The result of a business customer. */
async function openResult() {
  const member = await openMember(browser(), product.url);
  const { page, account } = member;
  await subscribe(account, 'business');
  const taskId = await account.enhance(await smallPicture(), 'sea.jpg', START);
  await page.goto(`/result?taskId=${taskId}`);
  await untilHydrated(page);
  return member;
}

const menuOf = (page: Page) => page.getByRole('button', { name: text('result:formats') });
const itemOf = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });

async function download(page: Page, item: Locator) {
  const [file] = await Promise.all([page.waitForEvent('download'), item.click()]);
  return sharp(await bytesOf(file)).metadata();
}

it('downloads every format for a business customer', async () => {
  const { page, expectNoErrors, close } = await openResult();
  for (const [name, format] of FORMATS) {
    await menuOf(page).click();
    expect(await download(page, itemOf(page, name))).toMatchObject({ format, ...SMALL_PICTURE });
    await itemOf(page, name).waitFor({ state: 'hidden' });
  }
  expectNoErrors();
  await close();
});

itInLongRun('downloads the next format while the page still reloads its data after the last one', async () => {
  const { page, expectNoErrors, close } = await openResult();
  const reloads: Route[] = [];
  await page.route('**/result.data?**', (route) => void reloads.push(route));
  for (const [index, [name, format]] of FORMATS.entries()) {
    await menuOf(page).click();
    expect(await download(page, itemOf(page, name))).toMatchObject({ format });
    await itemOf(page, name).waitFor({ state: 'hidden' });
    await expect.poll(() => reloads.length).toBe(index + 1);
  }
  await menuOf(page).click();
  const reloaded = page.waitForResponse('**/result.data?**');
  await reloads.at(-1)?.continue();
  await (await reloaded).finished();
  // The reload closes no menu that was opened meanwhile.
  expect(await download(page, itemOf(page, 'PNG'))).toMatchObject({ format: 'png' });
  expectNoErrors();
  await close();
});

it('says in the menu why a format is not exported', async () => {
  const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { expectedStatus: 402 });
  await buyDownloads(account, 3);
  const [opened = '', ...others] = await Promise.all(
    Array.from({ length: 4 }, async () => account.enhance(await smallPicture(), 'sea.jpg', FOR_SALE)),
  );
  await page.goto(`/result?taskId=${opened}`);
  await untilHydrated(page);
  for (const taskId of others) await account.call(resultRoutes.exportTask, { params: { taskId }, body: {} });
  await menuOf(page).click();
  await itemOf(page, 'JPG 100').click();
  await page.getByText(text('common:errors.exports.insufficient')).waitFor();
  expectNoErrors();
  await close();
});

itInLongRun('says in place that the connection was lost, and downloads once it is back', async () => {
  const { page, close } = await openResult();
  await page.context().setOffline(true);
  await menuOf(page).click();
  await itemOf(page, 'PNG').click();
  await page.getByText(text('result:exportLost')).waitFor();
  await page.context().setOffline(false);
  expect(await download(page, itemOf(page, 'PNG'))).toMatchObject({ format: 'png' });
  await page.getByText(text('result:exportLost')).waitFor({ state: 'hidden' });
  await close();
});
