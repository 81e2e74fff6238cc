import { isDeepStrictEqual } from 'node:util';
import { ARCHIVE_PART, pluginKeyRoutes, taskRoutes, userRoutes } from '@clearframe/contract';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../../support/api-client.ts';
import { expectAccessible } from '../../support/browser/accessibility.ts';
import { bytesOf, useBrowser } from '../../support/browser/browser.ts';
import { itInLongRun } from '../../support/browser/javascript.ts';
import { openMember } from '../../support/members.ts';
import { subscribe } from '../../support/payments/purchases.ts';
import { blurredPortrait } from '../../support/portrait.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { until } from '../../support/product/until.ts';
import { untilShown } from '../../support/result-page.ts';
import { untilHydrated } from '../../support/sign-in.ts';

const product = sharedProduct();
const browser = useBrowser();

let photo: Buffer;
beforeAll(async () => {
  photo = await blurredPortrait(120);
});

/** Runs no neural network: such photos take milliseconds. */
const PLAIN = {};
const GOLDEN = { colorEnhance: { model: 'golden' } } as const;
const TEAL = { colorEnhance: { model: 'teal' } } as const;

const openBusiness = async (options?: Parameters<typeof openMember>[2]) => {
  const member = await openMember(browser(), product.url, options);
  await subscribe(member.account, 'business');
  return member;
};
const asFile = (name: string, buffer: Buffer = photo) => ({ name, mimeType: 'image/jpeg', buffer });
/** Recognized only when it is decoded. */
const broken = () => photo.subarray(0, 90);
const looksOf = async (account: ApiClient, bulkUploadId: string) => {
  const { taskList } = await account.call(taskRoutes.getBulkUpload, { params: { bulkUploadId } });
  return taskList.map(({ result }) => result.outputs[0]?.aiPipeline ?? null);
};
/** Many runs at once may take longer than a poll. */
const untilLooks = (account: ApiClient, bulkUploadId: string, expected: readonly unknown[]) =>
  until('every photo has the look', async () => isDeepStrictEqual(await looksOf(account, bulkUploadId), expected));
const summary = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
const namesIn = (zip: Buffer): string[] =>
  [...zip.toString('latin1').matchAll(/[\w ]+-clearframe\.(?:png|jpg)/g)].map(String);

describe('a batch', () => {
  it('takes more photos, shares a look, and is downloaded and deleted', async () => {
    const { page, account, expectNoErrors, close } = await openBusiness();
    await account.call(userRoutes.updatePreferences, { body: { preferences: { defaultAiPipeline: GOLDEN } } });
    const files = { 'a.jpg': photo, 'broken.jpg': broken(), 'late.jpg': null };
    const { bulkUploadId } = await account.submitBatch(files, PLAIN);
    await page.goto(`/batch?bulkUploadId=${bulkUploadId}`);
    await untilHydrated(page);
    await summary(page, '1 of 3 ready');
    await page.getByText('This file is damaged.').waitFor();
    await page.getByLabel('Add photos').setInputFiles([asFile('b.jpg'), asFile('c.jpg')]);
    await summary(page, '3 of 5 ready');
    expect((await looksOf(account, bulkUploadId)).slice(3)).toEqual([GOLDEN, GOLDEN]);
    await page.getByRole('button', { name: 'Cancel late.jpg' }).click();
    await summary(page, '3 of 4 ready');
    await page.getByRole('link', { name: 'New photos' }).waitFor();

    await page.getByRole('link', { name: 'a.jpg', exact: true }).click();
    const strip = page.getByRole('navigation', { name: 'Photos in this batch' });
    await strip.getByRole('link', { name: 'c.jpg' }).click();
    await strip.locator('[aria-current]').filter({ hasText: 'c.jpg' }).waitFor();
    await page.getByRole('tab', { name: 'Color' }).click();
    // The address changes before the page, whose button has the displayed result's look.
    await untilShown(page, () => page.getByRole('radio', { name: /^Teal/ }).check());
    await page.getByRole('button', { name: 'Apply this look to all' }).click();
    await page.waitForURL(/\/batch\?/);
    await untilLooks(account, bulkUploadId, [TEAL, null, null, TEAL, TEAL]);
    await summary(page, '3 of 4 ready');
    await page.getByText('Applying the look').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Look of c.jpg' }).click();
    await page.getByRole('button', { name: 'Apply to 2 other photos' }).click();
    await page.getByText('All finished photos already have this look.').waitFor();

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download 3 photos' }).click();
    const zip = await bytesOf(await download);
    expect([...new Set(namesIn(zip))]).toEqual(['a-clearframe.png', 'b-clearframe.png', 'c-clearframe.png']);

    await page.getByRole('link', { name: 'Delete broken.jpg' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete file' }).click();
    await summary(page, '3 of 3 ready');
    await page.getByRole('link', { name: 'Delete all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 4 files' }).click();
    await page.waitForURL('**/history');
    await page.getByText('No photos yet').waitFor();
    expectNoErrors();
    await close();
  });

  itInLongRun('works without JavaScript', async () => {
    const { page, account, expectNoErrors, close } = await openBusiness({ javaScriptEnabled: false });
    await account.call(userRoutes.updatePreferences, { body: { preferences: { defaultAiPipeline: GOLDEN } } });
    const { bulkUploadId } = await account.submitBatch({ 'a.jpg': photo, 'late.jpg': null }, PLAIN);
    await page.goto(`/batch?bulkUploadId=${bulkUploadId}`);
    await summary(page, '1 of 2 ready');
    await page.getByRole('link', { name: 'Add photos' }).click();
    const added = [asFile('b.jpg'), asFile('fake.jpg', Buffer.from('text')), asFile('c.jpg')];
    await page.getByLabel('Choose up to 13 more photos, 50 MB each.').setInputFiles(added);
    await page.getByRole('button', { name: 'Upload' }).click();
    // Refreshes itself.
    await summary(page, '3 of 5 ready');
    await page.getByText("We can't read this file.").waitFor();
    await page.getByRole('link', { name: 'Look of b.jpg' }).click();
    await page.getByRole('button', { name: 'Apply to 2 other photos' }).click();
    await untilLooks(account, bulkUploadId, [GOLDEN, null, GOLDEN, null, GOLDEN]);
    await page.getByLabel('Format').selectOption('JPG 100');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download 3 photos' }).click();
    const names = [...new Set(namesIn(await bytesOf(await download)))];
    expect(names).toEqual(['a-clearframe.jpg', 'b-clearframe.jpg', 'c-clearframe.jpg']);
    await page.getByRole('link', { name: 'a.jpg', exact: true }).click();
    await page.getByRole('link', { name: 'Back to batch' }).click();
    await summary(page, '3 of 5 ready');
    expectNoErrors();
    await close();
  });

  itInLongRun('of a key with more photos than a ZIP has is downloaded in parts', async () => {
    const { page, account, expectNoErrors, close } = await openBusiness();
    const { key } = await account.call(pluginKeyRoutes.createPluginKey, { body: {} });
    const names = Array.from({ length: ARCHIVE_PART.maxPictures + 1 }, (_, index) => `photo ${index}.jpg`);
    const program = ApiClient.withToken(product.url, key);
    const { bulkUploadId } = await program.enhanceBatch(Object.fromEntries(names.map((name) => [name, photo])), PLAIN);
    await page.goto(`/batch?bulkUploadId=${bulkUploadId}`);
    await summary(page, '101 of 101 ready');
    const parts = page.getByRole('navigation', { name: 'Download all' }).getByRole('link');
    await expect
      .poll(() => parts.allTextContents())
      .toEqual([
        expect.stringMatching(/^ZIP 1 of 2: 100 photos, \d+\sMB$/),
        expect.stringMatching(/^ZIP 2 of 2: 1 photo, 1\sMB$/),
      ]);
    const pictures: string[][] = [];
    for (const part of await parts.all()) {
      const download = page.waitForEvent('download');
      await part.click();
      pictures.push([...new Set(namesIn(await bytesOf(await download)))]);
    }
    expect(pictures.map(({ length }) => length)).toEqual([100, 1]);
    expect(pictures.flat().toSorted()).toEqual(names.map((name) => name.replace('.jpg', '-clearframe.png')).toSorted());
    await expectAccessible(page, [375, 1280]);
    expectNoErrors();
    await close();
  });

  it('is its owner’s only, and found again by its address', async () => {
    const [owner, other] = await Promise.all([
      openBusiness({ javaScriptEnabled: false }),
      openMember(browser(), product.url, { javaScriptEnabled: false, expectedStatus: 404 }),
    ]);
    const { bulkUploadId } = await owner.account.enhanceBatch({ 'a.jpg': photo, 'b.jpg': photo }, PLAIN);
    await other.page.goto(`/batch?bulkUploadId=${bulkUploadId}`);
    await other.page.getByRole('heading', { name: 'Batch not found' }).waitFor();
    expect((await other.page.request.get(`/batches/${bulkUploadId}/archive`)).status()).toBe(404);
    expect((await other.page.request.get(`/batches/${bulkUploadId}`)).status()).toBe(404);
    await owner.page.goto(`/batch?bulkUploadId=${bulkUploadId}`);
    await summary(owner.page, '2 of 2 ready');
    // The visitor comes from an onboarding on another site.
    await owner.page.goto(`/onboarding?bulk_upload_id=${bulkUploadId}`);
    await expect.poll(() => new URL(owner.page.url()).searchParams.get('bulkUploadId')).toBe(bulkUploadId);
    await summary(owner.page, '2 of 2 ready');
    await Promise.all([owner.close(), other.close()]);
  });
});
