import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { itInLongRun } from '../../support/browser/javascript.ts';
import { dialog, expectPath, opener, useModalPages } from '../../support/browser/modal-pages.ts';
import { text } from '../../support/texts.ts';

const { product, visit, openGallery } = useModalPages();

/** Marks the document, to detect a reload. */
const mark = (page: Page) => page.evaluate(() => document.body.setAttribute('data-mark', ''));
const isMarked = (page: Page) => page.evaluate(() => document.body.hasAttribute('data-mark'));

describe('a modal’s address', () => {
  it('opens over the page by a link and closes by Back', async () => {
    const { page, expectNoErrors, close } = await visit();
    await page.goto('/?v=b');
    await page.waitForSelector('html[data-live]');
    await mark(page);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith('.data')) asked.push(request.url());
    });
    const link = page.getByRole('link', { name: 'What happens to your photo' });
    await link.click();
    await dialog(page).waitFor();
    await expect.poll(() => new URL(page.url()).href).toBe(`${product.url}/about/photo?v=b`);
    await expect.poll(() => dialog(page).getAttribute('aria-labelledby')).toBeTruthy();
    await page.getByRole('dialog', { name: 'What happens to your photo' }).waitFor();
    await expect.poll(() => page.getByRole('heading', { level: 1, includeHidden: true }).count()).toBe(1);

    await page.goBack();
    await dialog(page).waitFor({ state: 'detached' });
    await expect.poll(() => new URL(page.url()).href).toBe(`${product.url}/?v=b`);
    await expect.poll(() => isMarked(page)).toBe(true);
    await expect.poll(() => link.evaluate((element) => element === document.activeElement)).toBe(true);
    // The page is unchanged.
    expect(asked).toEqual([]);
    expectNoErrors();
    await close();
  });

  it('is a page of its own after a reload', async () => {
    const { page, expectNoErrors, close } = await openGallery();
    await opener(page, 'about').click();
    await dialog(page).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'What happens to your photo' }).waitFor();
    await expect.poll(() => dialog(page).count()).toBe(0);
    await page.getByRole('link', { name: text('common:gotIt') }).click();
    await page.waitForURL('**/ui/modals');

    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'What happens to your photo' }).waitFor();
    await page.goBack();
    await opener(page, 'about').waitFor();
    expectNoErrors();
    await close();
  });

  itInLongRun('shows the page on Forward to a closed modal', async () => {
    const { page, expectNoErrors, close } = await openGallery();
    await opener(page, 'about').click();
    await dialog(page).waitFor();
    await page.goBack();
    await dialog(page).waitFor({ state: 'detached' });
    await page.goForward();
    await page.getByRole('heading', { level: 1, name: 'What happens to your photo' }).waitFor();
    await page.goBack();
    await opener(page, 'about').waitFor();
    expectNoErrors();
    await close();
  });

  itInLongRun('adds no history entry when it is closed', async () => {
    const { page, expectNoErrors, close } = await visit();
    await page.goto('/about/files');
    await page.goto('/ui/modals');
    await page.waitForSelector('html[data-live]');
    for (let times = 0; times < 2; times += 1) {
      await opener(page, 'upload:error').click();
      await dialog(page)
        .getByRole('button', { name: text('common:gotIt') })
        .click();
      await page.getByText('upload:error: gotIt').waitFor();
      await expectPath(page, '/ui/modals');
    }
    await page.goBack();
    await expectPath(page, '/about/files');
    expectNoErrors();
    await close();
  });

  it('is a page with a back button without JavaScript', async () => {
    const { page, expectNoErrors, close } = await visit({ javaScriptEnabled: false });
    await page.goto('/about/files?v=b');
    await page.getByRole('link', { name: /^Language/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Choose your language' }).waitFor();
    await page.goto('/?v=b');
    await page.getByRole('link', { name: 'What happens to your photo' }).click();
    await page.getByRole('link', { name: 'The result' }).click();
    await page.getByRole('heading', { level: 1, name: text('common:about.result.title') }).waitFor();
    await expectPath(page, '/about/result');
    await page.getByRole('link', { name: text('common:gotIt') }).click();
    await expect.poll(() => new URL(page.url()).href).toBe(`${product.url}/?v=b`);
    expectNoErrors();
    await close();
  });

  itInLongRun('exists for every upload error', async () => {
    const { page, close } = await visit({ javaScriptEnabled: false });
    for (const [address, title, line] of [
      ['too_few_files', 'No file chosen', "You haven't uploaded any file."],
      ['too_many_files?left=3&chosen=4', 'Limit reached: 3 files left', 'Files chosen: 4'],
      ['wrong_file_format?found=PDF', 'Format not supported', 'This file: PDF'],
      ['wrong_file_format?media=photo', 'Format not supported', "The file you uploaded isn't an image"],
      ['size?actual=60', 'File too large', 'This file: 60 MB'],
      ['size?media=video', 'File too large', /^Maximum allowed size for a video is 60 MB/],
      ['size_business', 'File too large', /^Maximum allowed size for a video is 120 MB/],
      ['duration', 'File too long', /^Maximum allowed length for a video is 60 seconds/],
      ['duration_business?actual=121', 'File too long', 'This video: 121 s'],
      ['week_size?max=240&actual=251.5', 'Weekly limit reached', 'Try again after Monday, 00:00 GMT.'],
      ['video_off', 'Videos are off', /^We can't enhance videos right now/],
    ] as const) {
      const response = await page.goto(`/upload-error/${address}`);
      expect(response?.status(), address).toBe(200);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await page.getByText(line).waitFor();
    }
    expect((await page.goto('/upload-error/nonsense'))?.status()).toBe(404);
    for (const topic of ['video', 'video_week', 'formats', 'downloads', 'premium_models', 'business_models'] as const) {
      expect((await page.goto(`/offer/${topic}`))?.status(), topic).toBe(200);
      await page.getByRole('heading', { level: 1, name: text(`tiers:offer.${topic}.title`) }).waitFor();
    }
    expect((await page.goto('/offer/nonsense'))?.status()).toBe(404);
    expect((await page.goto('/about/nonsense'))?.status()).toBe(404);
    await close();
  });
});
