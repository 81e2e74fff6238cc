import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { bytesOf, openPage, useBrowser } from '../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { untilHydrated } from '../../support/identity/sign-in.ts';
import { blurredFace, blurredPortrait } from '../../support/portrait.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';

/** Width and height of the pictures, in pixels. */
const SIDE = 240;
const SMALL = 160;

const product = sharedProduct();
const browser = useBrowser();

interface Picture {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}
/** One with a face to restore, and a small one. */
let portrait: Picture;
let small: Picture;

beforeAll(async () => {
  const file = { name: 'grandmother.jpg', mimeType: 'image/jpeg' };
  portrait = { ...file, buffer: await blurredFace(SIDE) };
  small = { ...file, buffer: await blurredPortrait(SMALL) };
});

/** Both pictures have the portrait's shape. */
async function expectBeforeAndAfter(page: Page, side: number): Promise<void> {
  for (const alt of ['Your photo before', 'Your photo after']) {
    const picture = page.getByAltText(alt);
    await picture.waitFor();
    await page.waitForFunction((name) => {
      const image = document.querySelector<HTMLImageElement>(`img[alt="${name}"]`);
      return image?.complete && image.naturalWidth > 0;
    }, alt);
    const shape = await picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
    expect(shape).toEqual([side, side]);
  }
}

async function download(page: Page): Promise<Buffer> {
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
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

    const slider = page.getByRole('slider');
    await slider.focus();
    for (const [key, value] of [
      ['Home', '0'],
      ['End', '100'],
      ['ArrowLeft', '98'],
      ['Shift+ArrowLeft', '88'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await slider.inputValue()).toBe(value);
    }
    expect(await slider.getAttribute('aria-valuetext')).toBe('Before: 88%');

    const result = await download(page);
    expect(await sharp(result).metadata()).toMatchObject({ format: 'jpeg', width: SIDE, height: SIDE });
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
    for (const alt of ['Your photo before', 'Your photo after']) {
      const box = await page.getByAltText(alt).boundingBox();
      expect(box?.width).toBeGreaterThan(100);
    }
    const result = await download(page);
    expect(await sharp(result).metadata()).toMatchObject({ format: 'jpeg', width: SMALL, height: SMALL });
    expectNoErrors();
    await close();
  });

  it('by drag and drop', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url);
    await page.goto('/');
    await untilHydrated(page);
    const transfer = await page.evaluateHandle((base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], 'dropped.jpg', { type: 'image/jpeg' }));
      return data;
    }, small.buffer.toString('base64'));
    for (const type of ['dragenter', 'dragover', 'drop'])
      await page.dispatchEvent('form', type, { dataTransfer: transfer });
    await page.waitForURL(/\/result\?taskId=/);
    await expectBeforeAndAfter(page, SMALL);
    expectNoErrors();
    await close();
  });

  itWithAndWithoutJavaScript('can be cancelled', { short: 'with' }, async (javaScriptEnabled) => {
    // Large enough to be cancelled in time.
    const large = { ...portrait, buffer: await blurredPortrait(2000) };
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled });
    await page.goto('/');
    await page.getByLabel(javaScriptEnabled ? 'Choose a photo' : 'Photo', { exact: true }).setInputFiles(large);
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Enhance photo' }).click();
    await page.waitForURL(/\/processing\?taskId=/);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Cancelled' }).waitFor();
    expectNoErrors();
    await close();
  });
});
