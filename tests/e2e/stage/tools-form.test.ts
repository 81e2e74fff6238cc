import { userRoutes } from '@clearframe/contract';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../support/api-client.ts';
import { bytesOf, openPage, useBrowser } from '../../support/browser/browser.ts';
import { itInLongRun } from '../../support/browser/javascript.ts';
import { openMember, visitorOf } from '../../support/members.ts';
import { smallPicture } from '../../support/payments/checkout.ts';
import { subscribe } from '../../support/payments/purchases.ts';
import { slowPortrait } from '../../support/portrait.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { untilShown } from '../../support/result-page.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const WITHOUT_SCRIPT = { javaScriptEnabled: false } as const;
/** Nothing but the color is changed. */
const PLAIN = { upscale: { factor: 1 } } as const;

const apply = (page: Page) => page.getByRole('button', { name: text('result:panel.apply'), exact: true }).click();
const newestOf = async (account: ApiClient, taskId: string) => (await account.task(taskId)).result.outputs[0];

describe('the tools without JavaScript', () => {
  it('keep the location and switch it, and an accepted offer keeps it too', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, WITHOUT_SCRIPT);
    await subscribe(account, 'business');
    await account.call(userRoutes.updatePreferences, { body: { preferences: { keepLocation: true } } });
    const taskId = await account.enhance(await smallPicture(), 'sea.jpg', PLAIN);
    const defaultAiPipeline = { ...PLAIN, colorEnhance: { model: 'golden' } } as const;
    await account.call(userRoutes.updatePreferences, { body: { preferences: { defaultAiPipeline } } });
    await page.goto(`/result?taskId=${taskId}`);
    await untilShown(page, () => page.getByRole('button', { name: text('result:panel.offer.applySaved') }).click());
    expect(await newestOf(account, taskId)).toMatchObject({ aiPipeline: defaultAiPipeline, keepLocation: true });
    const location = page.getByLabel(text('result:panel.keepLocation'));
    await expect.poll(() => location.isChecked()).toBe(true);
    await location.uncheck();
    await untilShown(page, () => apply(page));
    expect(await newestOf(account, taskId)).toMatchObject({ aiPipeline: defaultAiPipeline, keepLocation: false });
    expectNoErrors();
    await close();
  });

  itInLongRun('keep a blur of own values', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, WITHOUT_SCRIPT);
    await subscribe(account, 'business');
    const bokeh = { aperture: 0.5, highlights: 0.25, vivid: 0.1 } as const;
    const taskId = await account.enhance(await smallPicture(), 'sea.jpg', { ...PLAIN, bokeh });
    await page.goto(`/result?taskId=${taskId}`);
    await page.locator('input[name=colorEnhance][value=teal]').check();
    await untilShown(page, () => apply(page));
    expect((await newestOf(account, taskId))?.aiPipeline).toEqual({
      ...PLAIN,
      bokeh,
      colorEnhance: { model: 'teal' },
    });
    expectNoErrors();
    await close();
  });

  itInLongRun('have a menu of formats', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, WITHOUT_SCRIPT);
    await subscribe(account, 'business');
    const taskId = await account.enhance(await smallPicture(), 'sea.jpg', PLAIN);
    await page.goto(`/result?taskId=${taskId}`);
    await page.getByRole('button', { name: text('result:formats') }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^PNG/ }).click(),
    ]);
    expect(await sharp(await bytesOf(file)).metadata()).toMatchObject({ format: 'png' });
    expectNoErrors();
    await close();
  });

  it('are applied by a button that stays in view, and show options of tools that are on', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, WITHOUT_SCRIPT);
    const visitor = await visitorOf(page);
    const taskId = await visitor.enhance(await smallPicture(), 'sea.jpg', PLAIN);
    const button = page.getByRole('button', { name: text('result:panel.apply'), exact: true });
    const boxOf = async (element: Locator) => {
      const box = await element.boundingBox();
      if (!box) throw new Error('not shown');
      return { top: box.y, bottom: box.y + box.height };
    };
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport);
      await page.goto(`/result?taskId=${taskId}`);
      if (viewport.width === 390)
        await page.locator('select[name=faceEnhance], input[name=faceEnhanceOn]').first().focus();
      expect((await boxOf(button)).bottom).toBeLessThanOrEqual(viewport.height);
      // The button never covers the focused control.
      const last = page.locator('input[name=colorEnhance][value=softWarm]');
      await last.focus();
      expect((await boxOf(last)).bottom).toBeLessThan((await boxOf(button)).top);
    }

    const strength = page.locator('input[name=colorEnhanceStrength]');
    await expect.poll(() => strength.isVisible()).toBe(false);
    await page.locator('input[name=colorEnhance][value=teal]').check();
    await expect.poll(() => strength.isVisible()).toBe(true);
    const model = page.locator('select[name=faceEnhance]');
    await expect.poll(() => model.isVisible()).toBe(false);
    await page.locator('input[name=faceEnhanceOn]').check();
    await expect.poll(() => model.isVisible()).toBe(true);
    expectNoErrors();
    await close();
  });

  itInLongRun('say how long a photo takes', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, WITHOUT_SCRIPT);
    const visitor = await visitorOf(page);
    // Large enough to be cancelled in time.
    const taskId = await visitor.submit(await slowPortrait());
    await page.goto(`/processing?taskId=${taskId}`);
    await page.getByText(/^About \d+ (?:s|min) left$/).waitFor();
    await page.getByRole('button', { name: text('common:cancel') }).click();
    await page.getByRole('heading', { name: text('processing:cancelled.title') }).waitFor();
    expectNoErrors();
    await close();
  });
});
