import { type AiPipeline, RECIPE_VERSION, userRoutes } from '@clearframe/contract';
import type { Locator, Page } from 'playwright-core';
import sharp, { type Matrix3x3 } from 'sharp';
import { describe, expect, it } from 'vitest';
import { yellowed } from '../../samples/sample-pictures.ts';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { itInLongRun, itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { openMember } from '../../support/members.ts';
import { smallPicture } from '../../support/payments/checkout.ts';
import { subscribe } from '../../support/payments/purchases.ts';
import { blurredPortrait } from '../../support/portrait.ts';
import { environmentOf, withDatabase } from '../../support/product/database.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { until } from '../../support/product/until.ts';
import { openRestoredFace, untilShown } from '../../support/result-page.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

/** Red, green and blue of a color as a sepia print has them. */
const SEPIA: Matrix3x3 = [
  [0.393, 0.769, 0.189],
  [0.349, 0.686, 0.168],
  [0.272, 0.534, 0.131],
];

async function sql(statement: string, values: readonly string[] = []): Promise<void> {
  const { DATABASE_URL = '' } = await environmentOf(product, 'api');
  await withDatabase(DATABASE_URL, (client) => client.query(statement, [...values]));
}

const openTab = (page: Page, name: string) => page.getByRole('tab', { name }).click();

describe('the tool panel', () => {
  it('outlines faces, shows what AI changed and each toggle does, and lists both files', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url);
    await openRestoredFace(page);
    const clip = page.locator('.toggle-tooltip video');
    const untilClip = async (tip: string, toggle: Locator) => {
      await toggle.hover();
      await page.locator(`.toggle-tooltip video[src="/samples/tool-${tip}.mp4"]`).waitFor();
      await expect.poll(() => clip.evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(1);
      // The stage is dark on a light page.
      await expect.poll(() => page.locator('.toggle-tooltip').getAttribute('data-theme')).toBe('dark');
      await page.mouse.move(1, 1);
      await clip.waitFor({ state: 'detached' });
    };
    await untilClip('faceEnhance', page.getByRole('switch', { name: text('result:panel.tools.faceEnhance') }));
    await openTab(page, text('result:panel.sections.background'));
    await untilClip('backgroundEnhance', page.getByRole('switch').filter({ visible: true }));
    await openTab(page, text('result:panel.sections.color'));
    await untilClip('fade', page.getByRole('switch').filter({ visible: true }));
    await openTab(page, text('result:panel.sections.face'));
    await page.getByRole('button', { name: 'Face 1', exact: true }).focus();
    const share = async () => {
      const outline = await page.locator('.viewer-highlight').boundingBox();
      const picture = await page.getByAltText('Your photo after').boundingBox();
      return outline && picture && outline.width / picture.width;
    };
    await expect.poll(share).toBeGreaterThan(1 / 8);
    await expect.poll(share).toBeLessThan(1);

    await openTab(page, 'More');
    await untilClip('keepLocation', page.getByLabel(text('result:panel.keepLocation')));
    await untilClip('changes', page.getByLabel(text('result:panel.changes')));
    await page.getByLabel(text('result:panel.changes')).check();
    const map = page.locator('img.viewer-overlay');
    await map.waitFor();
    await expect
      .poll(() => map.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)))
      .toBe(480);
    await page.getByLabel(text('result:panel.changes')).uncheck();
    await map.waitFor({ state: 'detached' });

    const details = page.getByRole('region', { name: text('result:details') });
    for (const detail of ['grandmother.jpg', 'JPEG · 120 × 120 px', '480 × 480 px', '120 → 480 px', 'blazeface'])
      await details.getByText(detail).first().waitFor();
    await details.getByRole('link', { name: text('result:panel.details.downloadOriginal') }).waitFor();
    expectNoErrors();
    await close();
  });

  itWithAndWithoutJavaScript(
    'offers the saved tools for a picture of other tools',
    { short: 'with' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
      await subscribe(account, 'business');
      const taskId = await account.enhance(await smallPicture(), 'sea.jpg', {});
      const saved = { colorEnhance: { model: 'golden' } } as const;
      await account.call(userRoutes.updatePreferences, { body: { preferences: { defaultAiPipeline: saved } } });
      await page.goto(`/result?taskId=${taskId}`);
      if (javaScriptEnabled) await untilHydrated(page);
      await page.getByText(text('result:panel.offer.saved')).waitFor();
      await page.getByRole('button', { name: text('result:panel.offer.applySaved') }).click();
      await until('the saved tools are applied', async () => {
        const [newest] = (await account.task(taskId)).result.outputs;
        return newest?.aiPipeline.colorEnhance?.model === 'golden';
      });
      await page.getByRole('link', { name: 'Version 2' }).waitFor();
      await expect.poll(() => page.getByText(text('result:panel.offer.saved')).count()).toBe(0);
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript(
    'offers to restore a faded print, and to make sepia neutral',
    { short: 'with' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
      const sepia = await sharp(await blurredPortrait(300))
        .recomb(SEPIA)
        .toBuffer();
      const taskId = await account.enhance(await yellowed(sepia), 'grandfather.jpg', {});
      await page.goto(`/result?taskId=${taskId}`);
      if (javaScriptEnabled) await untilHydrated(page);
      await page.getByText(text('result:panel.offer.faded')).waitFor();
      await page.getByRole('button', { name: text('result:panel.offer.applyFaded') }).click();
      const untilApplied = (fade: AiPipeline['fade']) =>
        until('the tool is applied', async () => {
          const [newest] = (await account.task(taskId)).result.outputs;
          return JSON.stringify(newest?.aiPipeline) === JSON.stringify({ fade });
        });
      await untilApplied({ model: 'base' });
      await page.getByRole('link', { name: 'Version 2' }).waitFor();
      await expect.poll(() => page.getByText(text('result:panel.offer.faded')).count()).toBe(0);
      if (javaScriptEnabled) await openTab(page, text('result:panel.sections.color'));
      await page.getByRole('switch', { name: text('result:panel.neutral') }).check();
      if (!javaScriptEnabled) await page.getByRole('button', { name: text('result:panel.apply'), exact: true }).click();
      await untilApplied({ model: 'base', neutral: true });
      await page.getByRole('link', { name: 'Version 3' }).waitFor();
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript(
    'offers newer models for an earlier result',
    { short: 'neither' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
      const taskId = await account.enhance(await smallPicture(), 'sea.jpg', {});
      await sql(`UPDATE tasks SET outputs = jsonb_set(outputs, '{0,image,recipe,version}', '1') WHERE id = $1`, [
        taskId,
      ]);
      await page.goto(`/result?taskId=${taskId}`);
      if (javaScriptEnabled) await untilHydrated(page);
      await page.getByText(text('result:panel.offer.newer')).waitFor();
      await untilShown(page, () => page.getByRole('button', { name: text('result:panel.offer.applyNewer') }).click());
      const { outputs } = (await account.task(taskId)).result;
      expect(outputs.map(({ recipe }) => recipe.version)).toEqual([RECIPE_VERSION, 1]);
      await expect.poll(() => page.getByText(text('result:panel.offer.newer')).count()).toBe(0);
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript(
    'introduces new models until it was read, if it is switched on',
    { short: 'neither' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
      const taskId = await account.enhance(await smallPicture(), 'sea.jpg', {});
      const tutorial = page.getByRole('region', { name: text('result:panel.newModels.title') });
      // Flags are read again after seconds.
      const untilTutorials = (count: number) =>
        until(`the page has ${count} tutorials`, async () => {
          await page.goto(`/result?taskId=${taskId}`);
          return (await tutorial.count()) === count;
        });
      await untilTutorials(0);
      await sql(`INSERT INTO flag_overrides VALUES ('shouldShowNewModelsTutorial', 'true', now())`);
      try {
        await untilTutorials(1);
        await tutorial.getByText(text('result:panel.newModels.face')).waitFor();
        if (javaScriptEnabled) {
          await untilHydrated(page);
          // On a phone held sideways it follows the tools.
          await page.setViewportSize({ width: 844, height: 390 });
          const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? 0;
          await expect
            .poll(async () => (await topOf(tutorial.getByRole('button'))) > (await topOf(page.getByRole('tablist'))))
            .toBe(true);
        }
        await Promise.all([
          page.waitForResponse('**/result/tools*'),
          tutorial.getByRole('button', { name: text('common:gotIt') }).click(),
        ]);
        await tutorial.waitFor({ state: 'detached' });
        await page.reload();
        if (javaScriptEnabled) await untilHydrated(page);
        await expect.poll(() => tutorial.count()).toBe(0);
      } finally {
        await sql(`DELETE FROM flag_overrides WHERE name = 'shouldShowNewModelsTutorial'`);
      }
      expectNoErrors();
      await close();
    },
  );

  itInLongRun('lists both files and saves the default without JavaScript', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, {
      javaScriptEnabled: false,
    });
    await subscribe(account, 'business');
    const taskId = await account.enhance(await smallPicture(), 'sea.jpg', {});
    await page.goto(`/result?taskId=${taskId}`);
    const details = page.getByRole('region', { name: text('result:details') });
    for (const detail of ['sea.jpg', 'JPEG · 120 × 90 px', text('result:panel.details.noNetworks')])
      await details.getByText(detail).first().waitFor();
    const teal = page.locator('input[name=colorEnhance][value=teal]');
    await teal.check();
    const savedTools = async () => (await account.me()).preferences.defaultAiPipeline;
    const before = await savedTools();
    // Enter applies them only.
    await untilShown(page, () => teal.press('Enter'));
    expect(await savedTools()).toEqual(before);
    await page.getByRole('button', { name: text('result:panel.saveDefault') }).click();
    await page.waitForURL(/saved=yes/);
    expect(await savedTools()).toEqual({ colorEnhance: { model: 'teal' } });
    expectNoErrors();
    await close();
  });

  itInLongRun('keeps the last choice of the location when an earlier one has just been applied', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    const taskId = await account.enhance(await smallPicture(), 'sea.jpg', {});
    await page.goto(`/result?taskId=${taskId}`);
    await untilHydrated(page);
    await openTab(page, 'More');
    const location = page.getByLabel(text('result:panel.keepLocation'));
    const newest = async () => (await account.task(taskId)).result.outputs[0];
    // The page doesn't learn that the first choice is applied.
    const released = Promise.withResolvers<void>();
    await page.route(`**/tasks/${taskId}`, async (route) => {
      await released.promise;
      // The page may have given up.
      await route.fallback().catch(() => undefined);
    });
    await location.check();
    await until('the location is kept', async () => (await newest())?.keepLocation);
    await location.uncheck();
    await until('the location is removed again', async () => {
      const output = await newest();
      return output?.number === 3 && !output.keepLocation;
    });
    released.resolve();
    await page.getByRole('link', { name: 'Version 3' }).waitFor();
    await expect.poll(() => location.isChecked()).toBe(false);
    await page.reload();
    await untilHydrated(page);
    await expect.poll(() => location.isChecked()).toBe(false);
    expectNoErrors();
    await close();
  });
});
