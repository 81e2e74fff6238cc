import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { bytesOf, openPage, useBrowser } from '../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { blurredFace, blurredPortrait, slowPortrait } from '../../support/portrait.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { ENLARGED, expectBeforeAndAfter, jpegFile, type PictureFile } from '../../support/result-page.ts';

/** Width and height of the pictures, in pixels. */
const SIDE = 120;
const SMALL = 96;

const product = sharedProduct();
const browser = useBrowser();

/** One with a face to restore, and a small one. */
let portrait: PictureFile;
let small: PictureFile;

beforeAll(async () => {
  portrait = jpegFile(await blurredFace(SIDE));
  small = jpegFile(await blurredPortrait(SMALL));
});

/** Widths of the two pictures on the screen. */
const shownWidths = (page: Page): Promise<number[]> =>
  Promise.all(
    ['Your photo before', 'Your photo after'].map((alt) =>
      page.getByAltText(alt).evaluate((image) => Math.round(image.getBoundingClientRect().width)),
    ),
  );

/** Both sides zoom together, by keys, buttons, wheel and double click. */
async function expectZoom(page: Page): Promise<void> {
  const viewer = page.getByRole('region', { name: 'Photo: zoom and move' });
  const [fitted = 0] = await shownWidths(page);
  const expectWidths = (width: number) => expect.poll(() => shownWidths(page)).toEqual([width, width]);
  await viewer.focus();
  await page.keyboard.press('+');
  await expectWidths(Math.round(fitted * 1.5));
  await page.keyboard.press('0');
  await expectWidths(fitted);
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expectWidths(Math.round(fitted * 1.5));
  const top = () => page.getByAltText('Your photo after').evaluate((image) => image.getBoundingClientRect().top);
  const before = await top();
  await viewer.focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(top).toBeGreaterThan(before);
  await page.getByRole('button', { name: 'Actual size' }).click();
  await page.getByRole('button', { name: 'Fit to screen 100%' }).waitFor();
  await page.getByRole('button', { name: 'Fit to screen' }).click();
  await expectWidths(fitted);
  await viewer.dblclick({ position: { x: 200, y: 200 } });
  await expect.poll(async () => (await shownWidths(page))[0]).toBeGreaterThan(fitted);
  await page.mouse.wheel(0, 5000);
  await expectWidths(fitted);
  const held = page.locator('[data-held]');
  await viewer.focus();
  await page.keyboard.down(' ');
  await held.waitFor();
  await page.keyboard.up(' ');
  await held.waitFor({ state: 'detached' });
}

async function download(page: Page): Promise<Buffer> {
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download', exact: true }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe('grandmother-clearframe.jpg');
  return bytesOf(saved);
}

/** Mean difference, 0..255. */
async function difference(a: Buffer, b: Buffer): Promise<number> {
  const [first, second] = await Promise.all(
    [a, b].map((bytes) => sharp(bytes).removeAlpha().resize(512, 512).raw().toBuffer()),
  );
  if (!first || !second) throw new Error('nothing to compare');
  return first.reduce((sum, value, index) => sum + Math.abs(value - (second[index] ?? 0)), 0) / first.length;
}

describe('enhancing a photo', () => {
  it('with JavaScript: choose, wait, compare by keyboard, download, go back', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url);
    await page.goto('/');
    await page.getByLabel('Choose a photo').setInputFiles(portrait);
    await page.waitForURL(/\/result\?taskId=/);
    await expectBeforeAndAfter(page, SIDE);
    await page.getByText('1 face restored').waitFor();

    const slider = page.getByRole('slider', { name: 'Drag to compare' });
    await slider.focus();
    for (const [key, value] of [
      ['Home', '0'],
      ['End', '100'],
      ['ArrowLeft', '98'],
      ['Shift+ArrowLeft', '88'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => slider.inputValue()).toBe(value);
    }
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('Before: 88%');
    await expectZoom(page);

    await page.getByRole('button', { name: 'Other formats' }).click();
    await expect
      .poll(() => page.getByRole('link', { name: 'PNG' }).getAttribute('href'))
      .toMatch(/^\/offer\/formats\?taskId=/);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'PNG' }).waitFor({ state: 'hidden' });

    const result = await download(page);
    expect(await sharp(result).metadata()).toMatchObject({
      format: 'jpeg',
      width: SIDE * ENLARGED,
      height: SIDE * ENLARGED,
    });
    expect(await difference(result, portrait.buffer)).toBeGreaterThan(1);
    await page.getByText('has a watermark').waitFor();

    await page.goto('/');
    await page.goBack();
    await expectBeforeAndAfter(page, SIDE);
    expectNoErrors();
    await close();
  });

  it('without JavaScript: by form, refresh and link', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled: false });
    await page.goto('/');
    await page.getByLabel('Photo', { exact: true }).setInputFiles(small);
    await page.getByRole('button', { name: 'Enhance photo' }).click();
    await page.waitForURL(/\/result\?taskId=/);
    await expect
      .poll(() => page.getByRole('link', { name: 'After: open the photo' }).getAttribute('href'))
      .toMatch(/^\/media\//);
    for (const alt of ['Your photo before', 'Your photo after']) {
      const box = await page.getByAltText(alt).boundingBox();
      expect(box?.width).toBeGreaterThan(100);
    }
    const result = await download(page);
    expect(await sharp(result).metadata()).toMatchObject({
      format: 'jpeg',
      width: SMALL * ENLARGED,
      height: SMALL * ENLARGED,
    });
    expectNoErrors();
    await close();
  });

  itWithAndWithoutJavaScript('can be cancelled', { short: 'with' }, async (javaScriptEnabled) => {
    // Large enough to be cancelled in time.
    const large = { ...portrait, buffer: await slowPortrait() };
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled });
    await page.goto('/');
    await page.getByLabel(javaScriptEnabled ? 'Choose a photo' : 'Photo', { exact: true }).setInputFiles(large);
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Enhance photo' }).click();
    // The upload has such a button too.
    await page.locator('form[action^="/processing"]').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Canceled' }).waitFor();
    expectNoErrors();
    await close();
  });
});
