import { LOCALES, languageTagOf, taskRoutes } from '@clearframe/contract';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { openPage, storeLanguage, useBrowser } from '../../support/browser/browser.ts';
import { itInLongRun, sampleOf } from '../../support/browser/javascript.ts';
import { areReachable } from '../../support/browser/presses.ts';
import { openMember } from '../../support/members.ts';
import { NO_NETWORKS, smallPicture } from '../../support/payments/checkout.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { openRestoredFace } from '../../support/result-page.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const PHONE = { width: 390, height: 844 } as const;
const SMALL_PHONE = { width: 360, height: 640 } as const;
const DESKTOP = { width: 1440, height: 900 } as const;
const SIDEWAYS = { width: 844, height: 390 } as const;
const TABLET = { width: 768, height: 1024 } as const;
/** Long words, right to left, and a script without spaces. */
const LOCALES_OF_SHEETS = ['de', 'ar', 'ja'];

const bottomOf = (element: Locator) => element.evaluate((found) => found.getBoundingClientRect().bottom);

async function expectControlsAboveSheet(page: Page): Promise<void> {
  const buttons = page.locator('.viewer-controls button');
  for (const viewport of [PHONE, SMALL_PHONE]) {
    await page.setViewportSize(viewport);
    await expect.poll(() => areReachable(buttons)).toEqual([true, true, true, true, true]);
    const sheetTop = () => page.locator('.sheet').evaluate((sheet) => sheet.getBoundingClientRect().top);
    await expect.poll(async () => (await bottomOf(page.locator('.viewer-controls'))) < (await sheetTop())).toBe(true);
  }
}

it.each(sampleOf([PHONE, DESKTOP]))('being offline hides no button of the stage ($width px)', async (viewport) => {
  const { page, account, close } = await openMember(browser(), product.url, { viewport });
  await page.goto(`/result?taskId=${await account.enhance(await smallPicture(), 'sea.jpg', NO_NETWORKS)}`);
  await page.locator('.viewer-controls').waitFor();
  await untilHydrated(page);
  await page.context().setOffline(true);
  const notice = page.getByText(text('common:offline'));
  await notice.waitFor();
  const below = await bottomOf(notice);
  const topOf = (element: Locator) => element.evaluate((found) => found.getBoundingClientRect().top);
  expect(await topOf(notice)).toBeGreaterThanOrEqual(await bottomOf(page.locator('.stage-bar')));
  expect(await topOf(page.locator('.viewer-controls'))).toBeGreaterThan(below);
  // In the bar on desktops.
  if (viewport === PHONE) expect(await topOf(page.locator('.stage-actions'))).toBeGreaterThan(below);
  await close();
});

describe('on a phone or tablet', () => {
  it.each(sampleOf(LOCALES_OF_SHEETS))(
    'the zoom buttons are above the summary of the closed sheet (%s)',
    async (locale) => {
      const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
        locale,
        viewport: PHONE,
        expectedStatus: 503,
      });
      const taskId = await openRestoredFace(page);
      // The knob doesn't move once the page is interactive.
      const knob = await page
        .locator('.viewer-frame')
        .evaluate((frame: HTMLElement) => frame.style.getPropertyValue('--knob'));
      const html = await (await page.request.get(`/result?taskId=${taskId}`)).text();
      expect(html).toContain(`--picture-knob:${knob}}`);
      await page.locator('.sheet-summary p').last().waitFor();
      await expectControlsAboveSheet(page);
      // An icon: the file's name needs the room.
      const login = page.locator('.stage-bar a[href^="/login"]');
      await expect.poll(() => login.textContent()).toMatch(/\S/);
      await expect.poll(async () => (await login.boundingBox())?.width).toBeLessThanOrEqual(44);

      const handle = page.locator('.sheet-handle');
      await handle.click();
      await page.locator('.compare-tag').first().waitFor({ state: 'hidden' });
      await page.getByRole('tab').nth(2).click();
      const look = (model: string) => page.locator(`input[name=colorEnhance][value=${model}]`);
      await look('golden').check();
      await page.waitForURL(/outputId=/);
      await look('golden').press('Escape');
      await page.locator('.preview-note').waitFor();
      await expectControlsAboveSheet(page);

      await page.route('**/result/tools', (route) =>
        route.fulfill({ status: 503, json: { problem: { code: 'queue.full', requestId: 'x' } } }),
      );
      await handle.click();
      await look('teal').check();
      await look('teal').press('Escape');
      await page.locator('.sheet-summary').getByRole('alert').waitFor();
      await expectControlsAboveSheet(page);
      expectNoErrors();
      await close();
    },
  );

  it('held sideways, the tools and the download are beside the picture', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
      locale: 'de',
      viewport: SIDEWAYS,
    });
    await openRestoredFace(page);
    const pictureHeight = async () => (await page.locator('.viewer-frame').boundingBox())?.height;
    await expect.poll(pictureHeight).toBeGreaterThan(300);
    await page.locator('.sheet-handle').waitFor({ state: 'hidden' });
    await expect.poll(() => areReachable(page.getByRole('tab'))).toEqual([true, true, true, true]);
    const lastAction = page.locator('.stage-actions button').last();
    await expect.poll(() => bottomOf(lastAction)).toBeLessThanOrEqual(SIDEWAYS.height);
    await expect.poll(() => bottomOf(page.locator('.stage'))).toBe(SIDEWAYS.height);
    // The text has a line of its own, as wide as the actions, which share the next one.
    const bottoms = () =>
      page
        .locator('.stage-actions > * > *')
        .evaluateAll((found) => found.map((element) => element.getBoundingClientRect().bottom));
    const [terms = 0, offer = 0, download = 0] = await bottoms();
    expect(terms).toBeLessThan(offer - 40);
    expect(Math.abs(offer - download)).toBeLessThan(10);
    // The paywall leaves half of the screen to the picture, and has the whole height for itself.
    await page.locator('.stage-actions a[href^="/upgrade"]').first().click();
    const paywall = page.getByRole('dialog');
    await paywall.getByRole('listitem').first().waitFor();
    const paywallBox = () => paywall.boundingBox();
    await expect.poll(async () => (await paywallBox())?.x).toBeGreaterThanOrEqual(SIDEWAYS.width / 2 - 8);
    await expect.poll(async () => (await paywallBox())?.height).toBe(SIDEWAYS.height - 16);
    expectNoErrors();
    await close();
  });

  it('the knob is whole on a picture that is lower than the knob', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { viewport: PHONE });
    const panorama = sharp({ create: { width: 1200, height: 60, channels: 3, background: '#5b7a99' } }).jpeg();
    const taskId = await account.enhance(await panorama.toBuffer(), 'panorama.jpg', { faceEnhance: { model: 'base' } });
    await page.goto(`/result?taskId=${taskId}`);
    const knob = page.locator('.compare-handle svg');
    await knob.waitFor();
    const isWhole = () =>
      knob.evaluate(
        (icon) =>
          new Promise<boolean>((resolve) => {
            new IntersectionObserver(([entry]) => resolve(entry?.intersectionRatio === 1)).observe(icon);
          }),
      );
    await expect.poll(isWhole).toBe(true);
    await expect.poll(async () => (await page.locator('.viewer-frame').boundingBox())?.height).toBeLessThan(40);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    expectNoErrors();
    await close();
  });

  it('a picture in progress has its frame before it can be shown, without JavaScript', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, {
      viewport: PHONE,
      javaScriptEnabled: false,
    });
    const frame = page.locator('.stage-picture');
    // Without a file there is no picture.
    const { taskList } = await account.call(taskRoutes.createBulkUpload, { body: { imageContentType: 'image/jpeg' } });
    await page.goto(`/processing?taskId=${taskList[0]?.taskId}`);
    await frame.locator('svg').waitFor();
    const size = async () => {
      const box = await frame.boundingBox();
      return box && [box.width, box.height];
    };
    await expect.poll(size).toEqual([PHONE.width, PHONE.width]);
    await page.evaluate(() => {
      const picture = Object.assign(new Image(), { src: '/samples/astronaut.jpg' });
      document.querySelector('.stage-picture')?.replaceChildren(picture);
      return picture.decode();
    });
    await expect.poll(size).toEqual([PHONE.width, PHONE.width]);
    expectNoErrors();
    await close();
  });

  itInLongRun('a photo can be chosen without scrolling, in every language, beside the cookie banner', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
      viewport: PHONE,
      hasTouch: true,
      isMobile: true,
      asksForCookies: true,
    });
    for (const locale of LOCALES) {
      await storeLanguage(page, product.url, languageTagOf(locale));
      await page.goto('/');
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(languageTagOf(locale));
      const choose = page.locator('main form label[for]:visible').first();
      await choose.waitFor();
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      for (const viewport of [PHONE, SMALL_PHONE, TABLET, SIDEWAYS]) {
        await page.setViewportSize(viewport);
        const { height } = viewport;
        // A resize of an emulated phone reaches the layout later.
        await expect
          .poll(async () => [locale, height, (await bottomOf(choose)) <= height])
          .toEqual([locale, height, true]);
      }
    }
    expectNoErrors();
    await close();
  });
});
