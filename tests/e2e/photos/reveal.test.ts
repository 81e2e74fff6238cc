import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { itInLongRun } from '../../support/browser/javascript.ts';
import { blurredPortrait } from '../../support/portrait.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { expectBeforeAndAfter, jpegFile, type PictureFile, shownFile } from '../../support/result-page.ts';
import { untilHydrated } from '../../support/sign-in.ts';

/** Width and height of the picture, in pixels; enlarged, it is wider than a phone. */
const SIDE = 120;

const product = sharedProduct();
const browser = useBrowser();

let picture: PictureFile;
beforeAll(async () => {
  picture = jpegFile(await blurredPortrait(SIDE));
});

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

/** Moves fingers in straight lines, each from its first point to its second. */
async function touch(page: Page, ...fingers: readonly (readonly [from: Point, to: Point])[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints });
  const at = (part: number) =>
    fingers.map(([from, to], id) => ({ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part, id }));
  await send('touchStart', at(0));
  for (let step = 1; step <= 8; step++) await send('touchMove', at(step / 8));
  await send('touchEnd', []);
  await session.detach();
}

/** A pinch zooms both sides, and one finger then moves them. */
async function expectPinch(page: Page): Promise<void> {
  const box = async (alt: string) => {
    const found = await page.getByAltText(alt).boundingBox();
    if (!found) throw new Error(`${alt} is not shown`);
    return found;
  };
  const widths = async () => [(await box('Your photo before')).width, (await box('Your photo after')).width];
  const [fitted = 0] = await widths();
  await touch(
    page,
    [
      { x: 180, y: 300 },
      { x: 120, y: 240 },
    ],
    [
      { x: 220, y: 340 },
      { x: 280, y: 400 },
    ],
  );
  await expect.poll(async () => Math.min(...(await widths()))).toBeGreaterThan(fitted * 3);
  await expect.poll(async () => new Set(await widths()).size).toBe(1);
  await expect.poll(() => page.evaluate(() => visualViewport?.scale)).toBe(1);

  const left = (await box('Your photo after')).x;
  await touch(page, [
    { x: 150, y: 300 },
    { x: 100, y: 330 },
  ]);
  await expect.poll(async () => Math.round((await box('Your photo after')).x - left)).toBeLessThan(-30);
  await touch(
    page,
    [
      { x: 60, y: 200 },
      { x: 180, y: 300 },
    ],
    [
      { x: 330, y: 440 },
      { x: 220, y: 340 },
    ],
  );
  await expect.poll(widths).toEqual([fitted, fitted]);
}

describe('the stage', () => {
  it('reveals the result of a dropped picture once, in its place', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { reducedMotion: 'no-preference' });
    await page.goto('/');
    await untilHydrated(page);
    await recordStage(page);
    const transfer = await page.evaluateHandle((base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], 'dropped.jpg', { type: 'image/jpeg' }));
      return data;
    }, picture.buffer.toString('base64'));
    for (const type of ['dragenter', 'dragover', 'drop'])
      await page.dispatchEvent('form', type, { dataTransfer: transfer });
    await page.waitForURL(/\/result\?taskId=/);
    await expectBeforeAndAfter(page, SIDE);
    const slider = page.getByRole('slider', { name: 'Drag to compare' });
    await expect.poll(() => slider.inputValue()).toBe('25');
    const afterShare = () =>
      page.locator('.viewer-frame').evaluate((frame) => getComputedStyle(frame).getPropertyValue('--position'));
    await expect.poll(afterShare).toBe('25%');
    const { phases, places } = await recorded(page);
    expect(phases).toEqual(['before', 'wipe']);
    expect(places).toHaveLength(1);

    await page.getByRole('link', { name: 'See pricing' }).click();
    await page.waitForURL(/\/upgrade/);
    await page.goBack();
    await expectBeforeAndAfter(page, SIDE);
    await expect.poll(async () => (await recorded(page)).phases).toEqual(['before', 'wipe']);
    expectNoErrors();
    await close();
  });

  itInLongRun('on a phone: swipes scroll or compare, a pinch zooms, the tools open below the photo', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await page.goto('/');
    await page.getByLabel('Choose a photo').setInputFiles(picture);
    await page.waitForURL(/\/result\?taskId=/);
    await expectBeforeAndAfter(page, SIDE);
    await untilHydrated(page);
    const shown = async (alt: string) => new URL(await shownFile(page.getByAltText(alt))).pathname.split('/').at(-1);
    await expect.poll(() => shown('Your photo after')).toBe('medium.webp');
    const slider = page.getByRole('slider', { name: 'Drag to compare' });
    const scrolled = () => page.evaluate(() => window.scrollY);

    await touch(page, [
      { x: 200, y: 300 },
      { x: 320, y: 310 },
    ]);
    await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(70);
    await expect.poll(() => scrolled()).toBe(0);
    const position = await slider.inputValue();
    const scrollEnd = page.evaluate(
      () => new Promise((resolve) => document.addEventListener('scrollend', resolve, { once: true })),
    );
    await touch(page, [
      { x: 200, y: 400 },
      { x: 210, y: 150 },
    ]);
    await expect.poll(scrolled).toBeGreaterThan(0);
    // A touch during the momentum would only stop it.
    await scrollEnd;
    await expect.poll(() => slider.inputValue()).toBe(position);
    await page.evaluate(() => window.scrollTo(0, 0));
    await expectPinch(page);
    for (const alt of ['Your photo before', 'Your photo after'])
      await expect.poll(() => shown(alt)).toBe('display.jpg');

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
    await expect.poll(() => handle.getAttribute('aria-expanded')).toBe('true');
    expectNoErrors();
    await close();
  });
});
