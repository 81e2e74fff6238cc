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

/** Small pictures are enlarged (decision 31). */
const ENLARGED = 4;

/** Both pictures have the portrait's shape. */
async function expectBeforeAndAfter(page: Page, side: number): Promise<void> {
  for (const [alt, width] of [
    ['Your photo before', side],
    ['Your photo after', side * ENLARGED],
  ] as const) {
    const picture = page.getByAltText(alt);
    await picture.waitFor();
    await page.waitForFunction((name) => {
      const image = document.querySelector<HTMLImageElement>(`img[alt="${name}"]`);
      return image?.complete && image.naturalWidth > 0;
    }, alt);
    const shape = await picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
    expect(shape).toEqual([width, width]);
  }
}

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

/** Records the phases of the reveal, and the places of the picture's room from the upload on. */
const recordStage = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const phases: string[] = [];
    const places = new Set<string>();
    Object.assign(window, { recordedStage: { phases, places } });
    new MutationObserver(() => {
      const phase = document.querySelector<HTMLElement>('[data-reveal]')?.dataset.reveal;
      if (phase && phase !== phases.at(-1)) phases.push(phase);
      const room = document.querySelector('.stage-canvas')?.getBoundingClientRect();
      if (room) places.add([room.x, room.y, room.width, room.height].join());
    }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-reveal'] });
  });

const recorded = (page: Page): Promise<{ phases: string[]; places: string[] }> =>
  page.evaluate(() => {
    const { phases, places } = (window as unknown as { recordedStage: { phases: string[]; places: Set<string> } })
      .recordedStage;
    return { phases, places: [...places] };
  });

interface Point {
  readonly x: number;
  readonly y: number;
}

/** With one finger. */
async function swipe(page: Page, from: Point, to: Point): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await send('touchStart', [from]);
  for (let step = 1; step <= 8; step++) {
    const part = step / 8;
    await send('touchMove', [{ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }]);
  }
  await send('touchEnd', []);
  await session.detach();
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
      expect(await slider.inputValue()).toBe(value);
    }
    expect(await slider.getAttribute('aria-valuetext')).toBe('Before: 88%');
    await expectZoom(page);

    await page.getByRole('button', { name: 'Other formats' }).click();
    expect(await page.getByRole('link', { name: 'PNG' }).getAttribute('href')).toMatch(/^\/upgrade\?taskId=/);
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
    expect(await page.getByRole('link', { name: 'After: open the photo' }).getAttribute('href')).toMatch(/^\/media\//);
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

  it('by drag and drop; the result is revealed once, in the place of the dropped picture', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { reducedMotion: 'no-preference' });
    await page.goto('/');
    await untilHydrated(page);
    await recordStage(page);
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
    const slider = page.getByRole('slider', { name: 'Drag to compare' });
    expect(await slider.inputValue()).toBe('25');
    const afterShare = () =>
      page.locator('.viewer-frame').evaluate((frame) => getComputedStyle(frame).getPropertyValue('--position'));
    await expect.poll(afterShare).toBe('25%');
    const { phases, places } = await recorded(page);
    expect(phases).toEqual(['before', 'wipe']);
    expect(places).toHaveLength(1);

    await page.getByRole('link', { name: 'See pricing' }).click();
    await page.waitForURL(/\/upgrade/);
    await page.goBack();
    await expectBeforeAndAfter(page, SMALL);
    expect((await recorded(page)).phases).toEqual(['before', 'wipe']);
    expectNoErrors();
    await close();
  });

  it('on a phone: swipes scroll or compare, the tools open below the photo', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await page.goto('/');
    await page.getByLabel('Choose a photo').setInputFiles(small);
    await page.waitForURL(/\/result\?taskId=/);
    await expectBeforeAndAfter(page, SMALL);
    await untilHydrated(page);
    const slider = page.getByRole('slider', { name: 'Drag to compare' });
    const scrolled = () => page.evaluate(() => window.scrollY);

    await swipe(page, { x: 200, y: 300 }, { x: 320, y: 310 });
    await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(70);
    expect(await scrolled()).toBe(0);
    const position = await slider.inputValue();
    await swipe(page, { x: 200, y: 400 }, { x: 210, y: 150 });
    await expect.poll(scrolled).toBeGreaterThan(0);
    expect(await slider.inputValue()).toBe(position);
    await page.evaluate(() => window.scrollTo(0, 0));

    const handle = page.getByRole('button', { name: 'Edit', exact: true });
    const photo = () => page.getByAltText('Your photo after').boundingBox();
    const whole = (await photo())?.height ?? 0;
    expect(whole).toBeGreaterThan(200);
    await handle.press('Enter');
    await expect.poll(() => handle.getAttribute('aria-expanded')).toBe('true');
    await expect.poll(async () => (await photo())?.height).toBeLessThan(whole);
    await handle.press('Escape');
    await expect.poll(async () => (await photo())?.height).toBe(whole);
    const box = await handle.boundingBox();
    if (!box) throw new Error('the handle is not shown');
    await page.mouse.move(box.x + 50, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 50, box.y - 200);
    await page.mouse.up();
    expect(await handle.getAttribute('aria-expanded')).toBe('true');
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
