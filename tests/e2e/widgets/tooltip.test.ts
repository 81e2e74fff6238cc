import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { ENGLISH, useGallery, usePage } from '../../support/browser/gallery.ts';

const { openGallery, openFrozenGallery } = useGallery();

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('the tooltip is not on the screen');
  return box;
}

const isVisible = (locator: Locator) => locator.isVisible();

describe('tooltip of a toggle', () => {
  const toggleOf = (page: Page) => page.getByRole('switch', { name: 'Enhance faces' }).first();
  const boxIn = (page: Page) => page.locator('.toggle-tooltip');

  const frozen = usePage(openFrozenGallery);
  beforeEach(async () => {
    await frozen().mouse.move(1, 1);
    await toggleOf(frozen()).blur();
    await frozen().clock.runFor(1000);
    await boxIn(frozen()).waitFor({ state: 'detached' });
  });

  it('opens 100 ms after hover and closes 300 ms after it ends', async () => {
    const page = frozen();
    const tooltip = boxIn(page);
    await toggleOf(page).hover();
    await page.clock.runFor(99);
    await expect.poll(() => isVisible(tooltip)).toBe(false);
    await page.clock.runFor(1);
    await tooltip.waitFor();
    await page.mouse.move(1, 1);
    await page.clock.runFor(299);
    await expect.poll(() => isVisible(tooltip)).toBe(true);
    await page.clock.runFor(1);
    await tooltip.waitFor({ state: 'detached' });
  });

  it('stays while hovered itself, and ignores a passing pointer', async () => {
    const page = frozen();
    const tooltip = boxIn(page);
    await toggleOf(page).hover();
    await page.clock.runFor(50);
    await page.mouse.move(1, 1);
    await page.clock.runFor(1000);
    await expect.poll(() => isVisible(tooltip)).toBe(false);

    await toggleOf(page).hover();
    await page.clock.runFor(100);
    await tooltip.waitFor();
    await tooltip.hover();
    await page.clock.runFor(1000);
    await expect.poll(() => isVisible(tooltip)).toBe(true);
  });

  it('opens 100 ms after focus, describes the toggle, and closes by Escape or 300 ms after blur', async () => {
    const page = frozen();
    const [toggle, tooltip] = [toggleOf(page), boxIn(page)];
    const focus = async () => {
      await toggle.focus();
      await page.clock.runFor(99);
      await expect.poll(() => isVisible(tooltip)).toBe(false);
      await page.clock.runFor(1);
      await tooltip.waitFor();
    };
    await focus();
    await expect
      .poll(() => page.getByRole('tooltip').textContent())
      .toBe('Enhance faces. Brings eyes, skin and hair back into focus.');
    await expect
      .poll(() => toggle.getAttribute('aria-describedby'))
      .toBe(await page.getByRole('tooltip').getAttribute('id'));
    await page.keyboard.press('Escape');
    await tooltip.waitFor({ state: 'detached' });

    await toggle.blur();
    await focus();
    await toggle.blur();
    await page.clock.runFor(299);
    await expect.poll(() => isVisible(tooltip)).toBe(true);
    await page.clock.runFor(1);
    await tooltip.waitFor({ state: 'detached' });
  });

  it('closes as soon as the page scrolls', async () => {
    const page = frozen();
    await toggleOf(page).hover();
    await page.clock.runFor(100);
    await boxIn(page).waitFor();
    await page.evaluate(() => window.scrollBy(0, 20));
    await boxIn(page).waitFor({ state: 'detached' });
  });

  it('opens 100 ms after a scroll caused by focus', async () => {
    const page = frozen();
    await toggleOf(page).focus();
    await page.clock.runFor(60);
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          window.addEventListener('scroll', () => resolve(), { once: true });
          window.scrollBy(0, 20);
        }),
    );
    await page.clock.runFor(99);
    await expect.poll(() => isVisible(boxIn(page))).toBe(false);
    await page.clock.runFor(1);
    await boxIn(page).waitFor();
  });

  it('is 200 px wide, 15 px away, with a muted looping video 124 px high', async () => {
    const page = frozen();
    await toggleOf(page).hover();
    await page.clock.runFor(100);
    const toggle = await boxOf(toggleOf(page));
    const widthAndDistance = async () => {
      const { width, y, height } = await boxOf(boxIn(page));
      return [width, Math.round(y > toggle.y ? y - toggle.y - toggle.height : toggle.y - y - height)];
    };
    // It is placed once its size is measured.
    await expect.poll(widthAndDistance).toEqual([200, 15]);
    const film = page.locator('.toggle-tooltip video');
    expect(await boxOf(film)).toMatchObject({ width: 200, height: 124 });
    await expect
      .poll(() => film.evaluate((video: HTMLVideoElement) => [video.loop, video.muted]))
      .toEqual([true, true]);
  });

  it('plays its video except under reduced motion', async () => {
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      const { page, expectNoErrors, close } = await openGallery(ENGLISH, { reducedMotion });
      await toggleOf(page).hover();
      const film = page.locator('.toggle-tooltip video');
      await film.waitFor();
      const isReduced = reducedMotion === 'reduce';
      // With enough data a video that may play begins to.
      await expect
        .poll(() => film.evaluate((video: HTMLVideoElement) => [video.readyState, video.autoplay, video.paused]))
        .toEqual([4, !isReduced, isReduced]);
      expectNoErrors();
      await close();
    }
  });

  it('opens by a tap, but not by a touch that moved', async () => {
    const { page, expectNoErrors, close } = await openFrozenGallery(ENGLISH, { hasTouch: true });
    const [toggle, tooltip] = [toggleOf(page), boxIn(page)];
    await toggle.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await boxOf(toggle);
    const finger = { x: x + width / 2, y: y + height / 2 };
    const client = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
      client.send('Input.dispatchTouchEvent', { type, touchPoints });

    await touch('touchStart', [finger]);
    await touch('touchMove', [{ x: finger.x + 40, y: finger.y }]);
    await touch('touchEnd', []);
    await page.clock.runFor(1000);
    await expect.poll(() => isVisible(tooltip)).toBe(false);

    await page.touchscreen.tap(finger.x, finger.y);
    await tooltip.waitFor();
    await page.clock.runFor(1000);
    await expect.poll(() => isVisible(tooltip)).toBe(true);
    await page.touchscreen.tap(5, 5);
    await tooltip.waitFor({ state: 'detached' });
    expectNoErrors();
    await close();
  });
});
