import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { taskRoutes } from '@clearframe/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../../support/browser/accessibility.ts';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { describeInLongRun, itInLongRun } from '../../support/browser/javascript.ts';
import { openMember } from '../../support/members.ts';
import { smallPicture } from '../../support/payments/checkout.ts';
import { subscribe } from '../../support/payments/purchases.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { signInByPopup, untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

interface Chosen {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

let bytes: Buffer;
let folder: string;
const photo = (name: string): Chosen => ({ name, mimeType: 'image/jpeg', buffer: bytes });
const PDF: Chosen = { name: 'contract.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') };

beforeAll(async () => {
  bytes = await smallPicture();
  folder = await mkdtemp(join(tmpdir(), 'clearframe-folder-'));
  await mkdir(join(folder, 'inner'));
  for (const name of ['10.jpg', '2.jpg', 'inner/3.jpg']) await writeFile(join(folder, name), bytes);
  for (const name of ['notes.txt', '.DS_Store']) await writeFile(join(folder, name), 'no photo');
});
afterAll(() => rm(folder, { recursive: true }));

const files = (page: Page) => page.locator('#upload-file');
const dialog = (page: Page) => page.getByRole('dialog');

async function openHome(page: Page): Promise<void> {
  await page.goto('/');
  await untilHydrated(page);
}

async function drop(page: Page, chosen: readonly Chosen[]): Promise<void> {
  const given = chosen.map(({ name, mimeType, buffer }) => ({ name, mimeType, base64: buffer.toString('base64') }));
  const transfer = await page.evaluateHandle((list) => {
    const data = new DataTransfer();
    for (const { name, mimeType, base64 } of list) {
      const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      data.items.add(new File([content], name, { type: mimeType }));
    }
    return data;
  }, given);
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}

const events = (page: Page) => page.evaluate(() => ('dataLayer' in window ? window.dataLayer : []));

describe('several photos without a plan for them', () => {
  it('open the offer, which can be declined to enhance one of them', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url);
    await openHome(page);
    await drop(page, [photo('first.jpg'), photo('second.jpg')]);
    await page.getByRole('dialog', { name: text('tiers:offer.batch.title') }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/offer/batch');
    await dialog(page)
      .getByRole('link', { name: text('tiers:try') })
      .waitFor();
    await expectAccessible(page);
    await expect
      .poll(() => events(page))
      .toMatchObject([
        { event: 'bulk_upload_limit', reason: 'business_required', files: 2 },
        { event: 'paywall', action: 'shown', previousAction: 'batch' },
      ]);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });

    await drop(page, [photo('first.jpg'), photo('second.jpg')]);
    await dialog(page)
      .getByRole('button', { name: text('tiers:offer.single') })
      .click();
    await page.waitForURL(/\/(processing|result)\?taskId=/);
    await page.getByText('first.jpg').first().waitFor();
    expectNoErrors();
    await close();
  });

  itInLongRun('are enhanced after a login to an account with such a plan', async () => {
    const customer = await openMember(browser(), product.url);
    await subscribe(customer.account, 'business');
    await customer.close();
    const { page, expectNoErrors, close } = await openPage(browser(), product.url);
    await openHome(page);
    await files(page).setInputFiles([photo('first.jpg'), photo('second.jpg')]);
    await dialog(page)
      .getByRole('link', { name: text('tiers:offer.logIn') })
      .click();
    await page.getByRole('dialog', { name: 'Log in / sign up' }).waitFor();
    await signInByPopup(page, { email: customer.email });
    await page.waitForURL(/\/batch\?bulkUploadId=/);
    await page.getByText('second.jpg').first().waitFor();
    expectNoErrors();
    await close();
  });

  itInLongRun('are uploaded without a file of another format, in Arabic on a phone', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
      viewport: { width: 390, height: 844 },
      locale: 'ar',
      colorScheme: 'dark',
    });
    await openHome(page);
    await files(page).setInputFiles([photo('first.jpg'), PDF]);
    await dialog(page)
      .getByText(/: PDF$/)
      .waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?found=PDF');
    await expectAccessible(page);
    await expect
      .poll(() => events(page))
      .toEqual([{ event: 'bulk_upload_format', reason: 'wrong_file_format', found: 'PDF' }]);
    await dialog(page).getByRole('button').first().click();
    await page.waitForURL(/\/(processing|result)\?taskId=/);
    expectNoErrors();
    await close();
  });

  it('without JavaScript the first is enhanced, and the page says so', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    });
    await page.goto('/');
    await page.getByText(text('home:drop.first')).waitFor();
    await files(page).setInputFiles([photo('first.jpg'), photo('second.jpg'), PDF]);
    await page.getByRole('button', { name: text('home:drop.submit') }).click();
    await page.getByText("You chose 3 files. We're enhancing the first.").waitFor();
    const note = page.getByRole('status').filter({ hasText: text('result:firstOfSeveral') });
    await note.waitFor();
    const box = await note.boundingBox();
    const actions = await page.locator('.stage-actions').boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(actions?.y ?? 0);
    await page.goto('/offer/batch');
    await page.getByRole('heading', { level: 1, name: text('tiers:offer.batch.title') }).waitFor();
    await expect
      .poll(() => page.getByRole('link', { name: text('tiers:offer.logIn') }).getAttribute('href'))
      .toBe('/login?returnTo=%2Foffer%2Fbatch');
    await page.getByRole('link', { name: text('tiers:offer.single') }).click();
    await page.waitForURL((url) => url.pathname === '/');
    expectNoErrors();
    await close();
  });
});

describeInLongRun('a business customer', () => {
  itInLongRun('is asked before 15 of 16 photos are enhanced, without JavaScript', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, {
      javaScriptEnabled: false,
    });
    await subscribe(account, 'business');
    await page.goto('/');
    await files(page).setInputFiles(Array.from({ length: 16 }, (_, index) => photo(`${index}.jpg`)));
    await page.getByRole('button', { name: text('home:drop.many.submit') }).click();
    await page.getByRole('heading', { name: 'Limit reached: 15 files left' }).waitFor();
    await page.getByText('Files chosen: 16').waitFor();
    const { data: waiting } = await account.call(taskRoutes.listTasks, { query: {} });
    expect(new Set(waiting.map(({ status }) => status))).toEqual(new Set(['uploading']));
    await page.getByRole('button', { name: 'Enhance 15 photos' }).click();
    await page.waitForURL(/\/batch\?bulkUploadId=/);
    await page.getByText('14.jpg').first().waitFor();
    expectNoErrors();
    await close();
  });

  itInLongRun('uploads a folder, and is told how many photos were left out', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    await subscribe(account, 'business');
    await openHome(page);
    await page.getByText(text('home:drop.many.limit').replace('{count, number}', '15')).waitFor();
    await files(page).setInputFiles(Array.from({ length: 16 }, (_, index) => photo(`${index}.jpg`)));
    await page.getByRole('dialog', { name: 'Limit reached: 15 files left' }).waitFor();
    await dialog(page).getByText('Files chosen: 16').waitFor();
    await dialog(page).getByRole('button', { name: 'Enhance 15 photos' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await expect
      .poll(() => events(page))
      .toEqual([{ event: 'bulk_upload_limit', reason: 'too_many_files', files: 16 }]);

    await page.locator('#upload-folder').setInputFiles(folder);
    await page.waitForURL(/\/batch\?bulkUploadId=/);
    await page.getByText('3.jpg').first().waitFor();
    await expect.poll(() => page.getByText(/^\d+\.jpg$/).allTextContents()).toEqual(['2.jpg', '10.jpg', '3.jpg']);
    expectNoErrors();
    await close();
  });

  itInLongRun('uploads several without JavaScript, and is told what was left out', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, {
      javaScriptEnabled: false,
    });
    await subscribe(account, 'business');
    await page.goto('/');
    await files(page).setInputFiles([photo('first.jpg'), PDF, photo('third.jpg')]);
    await page.getByRole('button', { name: text('home:drop.many.submit') }).click();
    await page.waitForURL(/\/batch\?bulkUploadId=/);
    await page.getByText('third.jpg').first().waitFor();
    await page.getByRole('alert').getByText(text('common:errors.uploads.unsupported_type')).waitFor();
    await expect.poll(() => page.getByText(PDF.name).count()).toBe(0);
    expectNoErrors();
    await close();
  });
});
