import { taskRoutes } from '@clearframe/contract';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { ApiClient } from '../../support/api-client.ts';
import { bytesOf, useBrowser } from '../../support/browser/browser.ts';
import { describeInLongRun, itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { placeOf } from '../../support/browser/presses.ts';
import { openMember } from '../../support/members.ts';
import { smallPicture } from '../../support/payments/checkout.ts';
import { subscribe } from '../../support/payments/purchases.ts';
import { slowPortrait } from '../../support/portrait.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { until } from '../../support/product/until.ts';
import { untilShown } from '../../support/result-page.ts';
import { newEmail, untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

/** Nothing but the color is changed. */
const PLAIN = { upscale: { factor: 1 } } as const;

/** A plan's download, which is a form until it was paid for, and a link afterwards. */
async function download(page: Page): Promise<Buffer> {
  const name = { name: text('result:download'), exact: true };
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', name).or(page.getByRole('link', name)).click(),
  ]);
  return bytesOf(saved);
}

const meanOf = async (file: Buffer): Promise<number[]> =>
  (await sharp(file).stats()).channels.slice(0, 3).map(({ mean }) => Math.round(mean));

describe('earlier results', () => {
  itWithAndWithoutJavaScript(
    'stay, and are shown, compared and downloaded',
    { short: 'without' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
      await subscribe(account, 'business');
      const taskId = await account.enhance(await smallPicture(), 'sea.jpg', PLAIN);
      await page.goto(`/result?taskId=${taskId}`);
      if (javaScriptEnabled) {
        await untilHydrated(page);
        await page.getByRole('tab', { name: text('result:panel.sections.color') }).click();
      }
      await untilShown(page, async () => {
        await page.locator('input[name=colorEnhance][value=orange]').check();
        if (!javaScriptEnabled) await page.getByRole('button', { name: text('result:panel.apply') }).click();
      });
      const versions = page.getByRole('navigation', { name: text('result:panel.results.title') });
      await expect.poll(() => versions.locator('[aria-current]').textContent()).toBe('Version 2');
      const orange = await meanOf(await download(page));

      await versions.getByRole('link', { name: 'Compare Version 1' }).click();
      await page.getByText(text('result:panel.results.compareOriginal')).waitFor();
      const tags = page.locator('.viewer .compare-tag');
      await expect.poll(() => tags.allTextContents()).toEqual(['Version 1', 'Version 2']);
      await page.getByText(text('result:panel.results.compareOriginal')).click();
      await expect.poll(() => tags.allTextContents()).toEqual(['Before', 'After']);

      await untilShown(page, () => versions.getByRole('link', { name: 'Version 1' }).first().click());
      await expect.poll(() => versions.locator('[aria-current]').textContent()).toBe('Version 1');
      expect(await meanOf(await download(page))).not.toEqual(orange);
      expectNoErrors();
      await close();
    },
  );
});

describeInLongRun('while a picture is processed again', () => {
  itWithAndWithoutJavaScript(
    'its page stays, with the result and its download',
    { short: 'neither' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
      const taskId = await account.enhance(await smallPicture(), 'sea.jpg', PLAIN);
      await page.goto(`/result?taskId=${taskId}`);
      if (javaScriptEnabled) {
        await untilHydrated(page);
        await page.getByRole('tab', { name: text('result:panel.sections.background') }).click();
      }
      // The only worker of networks is busy.
      const other = await ApiClient.logIn(product.url, newEmail());
      const large = await other.submit(await slowPortrait());
      await until('the other picture is processed', async () => (await other.task(large)).progress > 0);
      const apply = page.getByRole('button', { name: text('result:panel.apply') });
      await untilShown(page, async () => {
        await page.locator('input[name=backgroundEnhanceOn]').check();
        const place = javaScriptEnabled ? null : await placeOf(apply);
        if (!javaScriptEnabled) await apply.click();
        await page.getByRole('progressbar', { name: text('result:panel.progress') }).waitFor();
        await page.getByRole('button', { name: text('common:cancel') }).waitFor();
        // An impatient press doesn't cancel.
        if (place) await page.mouse.click(place.x, place.y);
        await page.getByRole('link', { name: text('result:download'), exact: true }).waitFor();
        await expect.poll(() => new URL(page.url()).pathname).toBe('/result');
        await page.getByAltText('Your photo after').waitFor();
        await other.call(taskRoutes.cancelTask, { params: { taskId: large } });
      });
      const [output] = (await account.task(taskId)).result.outputs;
      expect(output?.aiPipeline).toEqual({ ...PLAIN, backgroundEnhance: { model: 'base' } });
      expectNoErrors();
      await close();
    },
  );
});
