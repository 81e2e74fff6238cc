import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { expectNoOverflow } from '../../support/browser/accessibility.ts';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { visitorOf } from '../../support/members.ts';
import { smallPicture } from '../../support/payments/checkout.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

/** Greatest standard deviation of a channel of the element's picture: 0 for a plain surface. */
async function contrastOf(element: Locator): Promise<number> {
  const { channels } = await sharp(await element.screenshot()).stats();
  return Math.max(...channels.map(({ stdev }) => stdev));
}

it('a result is usable in forced colors, and at a zoom of 400 %', async () => {
  const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
    forcedColors: 'active',
    colorScheme: 'dark',
  });
  const visitor = await visitorOf(page);
  const taskId = await visitor.enhance(await smallPicture(), 'sea.jpg', { faceEnhance: { model: 'base' } });
  await page.goto(`/result?taskId=${taskId}`);
  await untilHydrated(page);
  const strength = page.getByRole('slider', {
    name: `${text('result:panel.tools.faceEnhance')}: ${text('result:panel.strength')}`,
  });
  await expect.poll(() => contrastOf(strength)).toBeGreaterThan(20);
  const [icon, knob] = await page.locator('.compare-handle svg').evaluate((element) => {
    const { color, backgroundColor } = getComputedStyle(element);
    return [color, backgroundColor];
  });
  expect(icon).not.toBe(knob);

  // 1280 × 1024 pixels.
  await page.setViewportSize({ width: 320, height: 256 });
  await expectNoOverflow(page);
  const handle = page.getByRole('button', { name: text('result:edit'), exact: true });
  // A press before the layout of small screens would have no focus.
  await handle.waitFor();
  await handle.press('Enter');
  await strength.press('ArrowLeft');
  await page.getByRole('link', { name: 'Version 2' }).waitFor();
  await expectNoOverflow(page);
  expectNoErrors();
  await close();
});

it('at a zoom of 200 % the names of the tools are not broken', async () => {
  // 1440 × 900 pixels. A name in German is wider than a quarter of the panel.
  const viewport = { width: 720, height: 450 };
  const { page, expectNoErrors, close } = await openPage(browser(), product.url, { locale: 'de', viewport });
  const visitor = await visitorOf(page);
  const taskId = await visitor.enhance(await smallPicture(), 'sea.jpg', { faceEnhance: { model: 'base' } });
  await page.goto(`/result?taskId=${taskId}`);
  await untilHydrated(page);
  const linesOf = (tab: Locator) =>
    tab.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    });
  const tabs = page.getByRole('tab');
  await expect.poll(async () => Promise.all((await tabs.all()).map(linesOf))).toEqual([1, 1, 1, 1]);
  await expectNoOverflow(page);
  expectNoErrors();
  await close();
});
