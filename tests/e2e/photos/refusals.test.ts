import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ApiClient } from '../../support/api-client.ts';
import { openPage, untilInView, useBrowser } from '../../support/browser/browser.ts';
import { itInLongRun, itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { cards } from '../../support/history-page.ts';
import { openMember } from '../../support/members.ts';
import { NO_NETWORKS, smallPicture } from '../../support/payments/checkout.ts';
import { blurredPortrait } from '../../support/portrait.ts';
import { environmentOf, withDatabase } from '../../support/product/database.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const PAGE = {
  name: 'holiday.jpg',
  mimeType: 'image/jpeg',
  buffer: Buffer.from('<html><body>not a photo</body></html>'),
};
const EMPTY = { name: 'nothing.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) };

describe('a file other than a photo', () => {
  for (const [what, file, words, status, withScript, form] of [
    ['a page under a photo’s name', PAGE, /isn't a photo or video|can't read this file/, 415, 'dialog', 'with'],
  ] as const) {
    itWithAndWithoutJavaScript(`${what} is rejected on the page`, { short: form }, async (javaScriptEnabled) => {
      const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
        javaScriptEnabled,
        expectedStatus: status,
      });
      await page.goto('/');
      await page.getByLabel(javaScriptEnabled ? 'Choose a photo' : 'Photo', { exact: true }).setInputFiles(file);
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Enhance photo' }).click();
      await page
        .getByRole(javaScriptEnabled ? withScript : 'alert')
        .getByText(words)
        .waitFor();
      // The modal has its own address.
      const address = javaScriptEnabled && withScript === 'dialog' ? '/upload-error/wrong_file_format' : '/';
      await expect.poll(() => new URL(page.url()).pathname).toBe(address);
      // Detected in the bytes.
      if (address !== '/') await page.getByRole('dialog').getByText('This file: HTML').waitFor();
      expectNoErrors();
      await close();
    });
  }

  itWithAndWithoutJavaScript(
    'that is empty is rejected within the screen of a phone',
    { short: 'without' },
    async (javaScriptEnabled) => {
      const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
        javaScriptEnabled,
        viewport: { width: 360, height: 640 },
        expectedStatus: 422,
      });
      await page.goto('/');
      if (javaScriptEnabled) await untilHydrated(page);
      await page.getByLabel(javaScriptEnabled ? 'Choose a photo' : 'Photo', { exact: true }).setInputFiles(EMPTY);
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Enhance photo' }).click();
      await untilInView(page.getByRole('heading', { name: text('common:uploadError.empty.title') }));
      await expect.poll(() => new URL(page.url()).pathname).toBe('/upload-error/empty');
      expectNoErrors();
      await close();
    },
  );

  it('reports a truncated photo, which the worker detects', async () => {
    const whole = await blurredPortrait();
    const cut = { name: 'cut.jpg', mimeType: 'image/jpeg', buffer: whole.subarray(0, whole.length / 2) };
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { expectedStatus: 422 });
    await page.goto('/');
    await untilHydrated(page);
    await page.getByLabel('Choose a photo').setInputFiles(cut);
    await page.getByRole('heading', { name: 'Invalid upload' }).waitFor();
    await page.getByText(/damaged/).waitFor();
    expectNoErrors();
    await close();
  });

  itInLongRun('does not call a file invalid whose upload took too long', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    const { taskId } = await account.upload(await smallPicture());
    const { DATABASE_URL = '' } = await environmentOf(product, 'api');
    await withDatabase(DATABASE_URL, (client) =>
      client.query(`UPDATE tasks SET status = 'invalid', error_code = 'uploads.expired' WHERE id = $1`, [taskId]),
    );
    await page.goto(`/processing?taskId=${taskId}`);
    await page.getByRole('heading', { name: text('processing:invalid.upload') }).waitFor();
    await page.getByText(text('common:errors.uploads.expired')).waitFor();
    await page.getByRole('link', { name: text('common:tryAgain') }).waitFor();
    expectNoErrors();
    await close();
  });

  it('asks for a photo when the form is sent empty without JavaScript, also after going back to it', async () => {
    const { page, close } = await openPage(browser(), product.url, { javaScriptEnabled: false });
    await page.goto('/');
    await page.getByRole('button', { name: 'Enhance photo' }).click();
    const refusal = page.getByRole('alert').getByText(/haven't uploaded any file/);
    await refusal.waitFor();
    await page.goto('/pricing');
    await page.goBack();
    await refusal.waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Enhance photo' }).waitFor();
    await expect.poll(() => refusal.count()).toBe(0);
    await close();
  });
});

describe('a missing photo, or one of another user', () => {
  itInLongRun('answers 404 with a page', async () => {
    const stranger = await ApiClient.createGuest(product.url);
    const { taskId } = await stranger.upload(await blurredPortrait(256));
    const { page, close } = await openPage(browser(), product.url, { expectedStatus: 404 });
    const paths = [
      '/no/such/page',
      '/result',
      '/result?taskId=nonsense',
      `/result?taskId=${taskId}`,
      `/processing?taskId=${taskId}`,
    ];
    for (const path of paths) {
      const response = await page.goto(path);
      expect(response?.status(), path).toBe(404);
      await page.getByRole('heading', { name: text('common:notFound.title') }).waitFor();
    }
    await close();
  });

  it('says that the link of a receipt has expired', async () => {
    const { page, close } = await openPage(browser(), product.url, { expectedStatus: 404, javaScriptEnabled: false });
    await page.goto('/photo?key=AAAAAAAAAAAAAAAAAAAAAA');
    await page.getByRole('heading', { name: text('common:deadLink.title') }).waitFor();
    await page.getByText(text('common:deadLink.receipt')).waitFor();
    await close();
  });
});

/** A report of an error with these words: the pictures of a page may fail one after the other. */
const reportOf = async (page: Page, words: RegExp): Promise<void> => {
  await page.waitForRequest(
    (request) => request.url().endsWith('/client-errors') && words.test(request.postDataJSON().message),
  );
};

itInLongRun('a failed task and a picture that does not load are reported', async () => {
  const { page, account, close } = await openMember(browser(), product.url);
  const taskId = await account.enhance(await smallPicture(), 'sea.jpg', NO_NETWORKS);
  await page.goto('/history');
  await untilHydrated(page);
  await page.route('**/media/**', (route) => route.abort());
  const image = reportOf(page, /^Image at url http:[^?]+ failed to load$/);
  await cards(page).getByRole('link').first().click();
  await image;

  const { DATABASE_URL = '' } = await environmentOf(product, 'api');
  await withDatabase(DATABASE_URL, (client) =>
    client.query(`UPDATE tasks SET status = 'failed', error_code = 'tasks.failed', outputs = '[]' WHERE id = $1`, [
      taskId,
    ]),
  );
  const task = reportOf(page, new RegExp(`^Task ${taskId} failed$`));
  await page.goto(`/processing?taskId=${taskId}`);
  await task;
  await close();
});
