import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, openPage } from '../support/browser.ts';
import { sharedProduct } from '../support/shared-product.ts';
import { expectSound } from '../support/sound.ts';

const ENGLISH = '/ui?theme=light&dir=ltr';
const ARABIC = '/ui?theme=dark&dir=rtl';

const product = sharedProduct();
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
});

/** The gallery, live. */
async function openGallery(address = ENGLISH, options: BrowserContextOptions = {}) {
  const watched = await openPage(browser, product.url, { reducedMotion: 'reduce', ...options });
  await watched.page.goto(address);
  if (options.javaScriptEnabled !== false) await watched.page.locator('html[data-live]').waitFor();
  return watched;
}

/** The gallery at a standstill: its time passes only by `page.clock.runFor`. */
async function openFrozenGallery(address = ENGLISH, options: BrowserContextOptions = {}) {
  const watched = await openPage(browser, product.url, { reducedMotion: 'reduce', ...options });
  await watched.page.clock.install({ time: '2030-01-01T00:00:00Z' });
  await watched.page.goto(address);
  await watched.page.locator('html[data-live]').waitFor();
  await watched.page.clock.pauseAt('2030-01-01T01:00:00Z');
  return watched;
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('it is not on the screen');
  return box;
}

const isVisible = (locator: Locator) => locator.isVisible();

describe('segmented selector', () => {
  /** How far the indicator has slid, in its own widths; to the left is negative. */
  const slid = (group: Locator) =>
    group.locator('.segmented-indicator').evaluate((indicator) => {
      const travelled = Number.parseFloat(getComputedStyle(indicator).translate) || 0;
      return getComputedStyle(indicator).translate.includes('%')
        ? travelled / 100
        : travelled / indicator.getBoundingClientRect().width;
    });

  it('selects the first option unless it is told another one, and names an option by its key for want of a label', async () => {
    const { page, expectQuiet, close } = await openGallery();
    expect(await page.getByRole('radio', { name: 'JPEG' }).isChecked()).toBe(true);
    expect(await page.getByRole('radio', { name: 'Monthly' }).isChecked()).toBe(true);
    expectQuiet();
    await close();
  });

  it('selects by a click, tells the setter, runs the action, and slides by one or two widths', async () => {
    const { page, expectQuiet, close } = await openGallery();
    const group = page.getByRole('radiogroup', { name: 'Billing period' });
    for (const [name, key, widths] of [
      ['Yearly', 'yearly', 2],
      ['Weekly', 'weekly', 0],
      ['Monthly', 'monthly', 1],
    ] as const) {
      await group.getByText(name).click();
      expect(await group.getByRole('radio', { name }).isChecked()).toBe(true);
      expect(await page.getByText(key, { exact: true }).first().textContent()).toBe(key);
      await expect.poll(() => slid(group)).toBeCloseTo(widths);
    }
    expectQuiet();
    await close();
  });

  it('is mirrored where writing is', async () => {
    const { page, close } = await openGallery(ARABIC);
    const group = page.getByRole('radiogroup').first();
    const radios = group.getByRole('radio');
    await group.locator('.segment').nth(2).click();
    await expect.poll(() => slid(group)).toBeCloseTo(-2);
    await page.keyboard.press('ArrowRight');
    expect(await radios.nth(1).isChecked()).toBe(true);
    await expect.poll(() => slid(group)).toBeCloseTo(-1);
    await close();
  });

  it('moves with the arrow keys, and neither keys nor clicks select what is disabled', async () => {
    const { page, close } = await openGallery();
    const format = (name: string) => page.getByRole('radio', { name });
    await format('JPEG').focus();
    await page.keyboard.press('ArrowRight');
    expect(await format('PNG').isChecked()).toBe(true);
    await page.keyboard.press('ArrowRight');
    expect(await format('JPEG').isChecked()).toBe(true);
    await page.getByText('TIFF').click({ force: true });
    expect(await format('TIFF').isChecked()).toBe(false);
    expect(await format('TIFF').isDisabled()).toBe(true);
    await close();
  });

  it('sets a discount of 18 characters or more smaller', async () => {
    const { page, close } = await openGallery();
    const size = (text: string) =>
      page.getByText(text, { exact: true }).evaluate((badge) => Number.parseFloat(getComputedStyle(badge).fontSize));
    expect('You are saving 16%').toHaveLength(18);
    expect(await size('You are saving 16%')).toBeLessThan(await size('Save 35%'));
    await close();
  });
});

describe('tooltip of a toggle', () => {
  const toggleOf = (page: Page) => page.getByRole('switch', { name: 'Enhance faces' }).first();
  const boxIn = (page: Page) => page.locator('.toggle-tooltip');

  it('opens 100 ms after the pointer came and closes 300 ms after it left', async () => {
    const { page, expectQuiet, close } = await openFrozenGallery();
    const tooltip = boxIn(page);
    await toggleOf(page).hover();
    await page.clock.runFor(99);
    expect(await isVisible(tooltip)).toBe(false);
    await page.clock.runFor(1);
    await tooltip.waitFor();
    await page.mouse.move(1, 1);
    await page.clock.runFor(299);
    expect(await isVisible(tooltip)).toBe(true);
    await page.clock.runFor(1);
    await tooltip.waitFor({ state: 'detached' });
    expectQuiet();
    await close();
  });

  it('stays when the pointer goes over to it, and does not open for one that only passes', async () => {
    const { page, close } = await openFrozenGallery();
    const tooltip = boxIn(page);
    await toggleOf(page).hover();
    await page.clock.runFor(50);
    await page.mouse.move(1, 1);
    await page.clock.runFor(1000);
    expect(await isVisible(tooltip)).toBe(false);

    await toggleOf(page).hover();
    await page.clock.runFor(100);
    await tooltip.waitFor();
    await tooltip.hover();
    await page.clock.runFor(1000);
    expect(await isVisible(tooltip)).toBe(true);
    await close();
  });

  it('opens 100 ms after the focus came, describes the toggle, and closes by Escape or 300 ms after the focus left', async () => {
    const { page, close } = await openFrozenGallery();
    const [toggle, tooltip] = [toggleOf(page), boxIn(page)];
    const focus = async () => {
      await toggle.focus();
      await page.clock.runFor(99);
      expect(await isVisible(tooltip)).toBe(false);
      await page.clock.runFor(1);
      await tooltip.waitFor();
    };
    await focus();
    expect(await page.getByRole('tooltip').textContent()).toBe(
      'Enhance faces. Brings eyes, skin and hair back into focus.',
    );
    expect(await toggle.getAttribute('aria-describedby')).toBe(await page.getByRole('tooltip').getAttribute('id'));
    await page.keyboard.press('Escape');
    await tooltip.waitFor({ state: 'detached' });

    await toggle.blur();
    await focus();
    await toggle.blur();
    await page.clock.runFor(299);
    expect(await isVisible(tooltip)).toBe(true);
    await page.clock.runFor(1);
    await tooltip.waitFor({ state: 'detached' });
    await close();
  });

  it('closes as soon as the page scrolls', async () => {
    const { page, close } = await openFrozenGallery();
    await toggleOf(page).hover();
    await page.clock.runFor(100);
    await boxIn(page).waitFor();
    await page.evaluate(() => window.scrollBy(0, 20));
    await boxIn(page).waitFor({ state: 'detached' });
    await close();
  });

  it('opens 100 ms after the end of a scroll that came with the focus', async () => {
    const { page, close } = await openFrozenGallery();
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
    expect(await isVisible(boxIn(page))).toBe(false);
    await page.clock.runFor(1);
    await boxIn(page).waitFor();
    await close();
  });

  it('is 200 px wide, 15 px away, with a film 124 px high that loops without a sound', async () => {
    const { page, close } = await openFrozenGallery();
    await toggleOf(page).hover();
    await page.clock.runFor(100);
    const tooltip = await boxOf(boxIn(page));
    const toggle = await boxOf(toggleOf(page));
    expect(tooltip.width).toBe(200);
    const distance =
      tooltip.y > toggle.y ? tooltip.y - toggle.y - toggle.height : toggle.y - tooltip.y - tooltip.height;
    expect(distance).toBeCloseTo(15, 0);
    const film = page.locator('.toggle-tooltip video');
    expect(await boxOf(film)).toMatchObject({ width: 200, height: 124 });
    expect(await film.evaluate((video: HTMLVideoElement) => [video.loop, video.muted])).toEqual([true, true]);
    await close();
  });

  it('plays its film, except for those who asked for less motion', async () => {
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      const { page, expectQuiet, close } = await openGallery(ENGLISH, { reducedMotion });
      await toggleOf(page).hover();
      const film = page.locator('.toggle-tooltip video');
      await film.waitFor();
      await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2);
      expect(await film.evaluate((video: HTMLVideoElement) => video.paused)).toBe(reducedMotion === 'reduce');
      expectQuiet();
      await close();
    }
  });

  it('opens by a tap, but not by a touch that moved', async () => {
    const { page, expectQuiet, close } = await openFrozenGallery(ENGLISH, { hasTouch: true });
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
    expect(await isVisible(tooltip)).toBe(false);

    await page.touchscreen.tap(finger.x, finger.y);
    await tooltip.waitFor();
    await page.clock.runFor(1000);
    expect(await isVisible(tooltip)).toBe(true);
    await page.touchscreen.tap(5, 5);
    await tooltip.waitFor({ state: 'detached' });
    expectQuiet();
    await close();
  });
});

describe('toast', () => {
  const toastOf = (page: Page, text: string) => page.locator('.toast').filter({ hasText: text });

  it('closes itself after 2000 ms and is gone from the list', async () => {
    const { page, expectQuiet, close } = await openFrozenGallery();
    await page.getByRole('button', { name: 'Show a toast' }).click();
    await toastOf(page, 'Link copied').waitFor();
    await page.clock.runFor(1999);
    expect(await isVisible(toastOf(page, 'Link copied'))).toBe(true);
    await page.clock.runFor(1);
    await toastOf(page, 'Link copied').waitFor({ state: 'detached' });
    expect(await page.locator('.toast-viewport').count()).toBe(0);
    expectQuiet();
    await close();
  });

  it('stacks, each for its own time', async () => {
    const { page, close } = await openFrozenGallery();
    await page.getByRole('button', { name: 'Show a long one' }).click();
    await page.getByRole('button', { name: 'Show a toast' }).click();
    await page.getByRole('button', { name: 'Show a problem' }).click();
    await toastOf(page, 'That did not work').waitFor();
    expect(await page.locator('.toast').count()).toBe(3);
    await page.clock.runFor(2000);
    await toastOf(page, 'That did not work').waitFor({ state: 'detached' });
    expect(await page.locator('.toast').count()).toBe(1);
    await page.clock.runFor(2999);
    expect(await page.locator('.toast').count()).toBe(1);
    await page.clock.runFor(1);
    await page.locator('.toast').waitFor({ state: 'detached' });
    await close();
  });

  it('waits while the pointer is on it, and takes the rest of its time afterwards', async () => {
    const { page, close } = await openFrozenGallery();
    await page.getByRole('button', { name: 'Show a toast' }).click();
    await toastOf(page, 'Link copied').hover();
    await page.clock.runFor(10_000);
    expect(await isVisible(toastOf(page, 'Link copied'))).toBe(true);
    await page.mouse.move(1, 1);
    await page.clock.runFor(1999);
    expect(await isVisible(toastOf(page, 'Link copied'))).toBe(true);
    await page.clock.runFor(1);
    await toastOf(page, 'Link copied').waitFor({ state: 'detached' });
    await close();
  });

  it('is announced politely', async () => {
    const { page, close } = await openFrozenGallery();
    await page.getByRole('button', { name: 'Show a toast' }).click();
    await toastOf(page, 'Link copied').waitFor();
    await page.clock.runFor(100);
    await page.locator('[role=status][aria-live=polite]').getByText('Link copied').waitFor({ state: 'attached' });
    await close();
  });

  it('left by the page before it passes with script and stays in the page without', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, expectQuiet, close } = await openGallery(ENGLISH, { javaScriptEnabled });
      await page.getByRole('button', { name: 'Send and leave a message' }).click();
      const said = javaScriptEnabled ? page.locator('.toast') : page.getByRole('main').getByRole('status').first();
      await said.getByText('Left by the page before').waitFor();
      if (!javaScriptEnabled) {
        await page.reload();
        expect(await page.getByText('Left by the page before').count()).toBe(0);
      }
      expectQuiet();
      await close();
    }
  });
});

describe('form', () => {
  it('disables its submit button while it is on its way, by navigation and by fetcher', async () => {
    const { page, expectQuiet, close } = await openGallery();
    for (const name of ['Send', 'Send (fetcher)']) {
      const { promise: release, resolve } = Promise.withResolvers<void>();
      await page.route('**/ui.data*', async (route) => {
        await release;
        await route.continue();
      });
      const button = page.getByRole('button', { name, exact: true });
      await button.click();
      await expect.poll(() => button.isDisabled()).toBe(true);
      resolve();
      await expect.poll(() => button.isDisabled()).toBe(false);
      await page.unroute('**/ui.data*');
    }
    await page.getByText('Received: by=fetcher').waitFor();
    expectQuiet();
    await close();
  });

  it('sends what was chosen and switched, without script too', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, expectQuiet, close } = await openGallery(ENGLISH, { javaScriptEnabled });
      const form = page.locator('form').filter({ has: page.getByLabel('Your name') });
      await form.getByLabel('Your name').fill('Ada');
      await form.getByText('Videos').click();
      await form.getByRole('switch').check();
      await form.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByText('Received: name=Ada, mode-light-ltr=videos, face=on').waitFor();
      expectQuiet();
      await close();
    }
  });
});

describe('the rest', () => {
  it('toggle: by click and space bar, and not when it is disabled', async () => {
    const { page, close } = await openGallery();
    const toggle = page.getByRole('switch', { name: 'Switched off' });
    await toggle.click();
    expect(await toggle.isChecked()).toBe(true);
    await page.keyboard.press('Space');
    expect(await toggle.isChecked()).toBe(false);
    const locked = page.getByRole('switch', { name: 'Off, and' });
    await locked.click({ force: true });
    expect(await locked.isChecked()).toBe(false);
    expect(await locked.isDisabled()).toBe(true);
    await close();
  });

  it('spinner: 80 by 80 unless told otherwise', async () => {
    const { page, close } = await openGallery();
    const spinner = page.getByRole('status').filter({ hasText: 'Loading' }).locator('svg');
    expect(await spinner.evaluate((svg) => [svg.clientWidth, svg.clientHeight])).toEqual([80, 80]);
    await close();
  });

  it('slider: by the keyboard, mirrored where writing is, read out in words', async () => {
    for (const [address, key] of [
      [ENGLISH, 'ArrowRight'],
      [ARABIC, 'ArrowLeft'],
    ] as const) {
      const { page, close } = await openGallery(address);
      const slider = page.locator('.slider').first();
      await slider.focus();
      await page.keyboard.press(key);
      expect(await slider.getAttribute('aria-valuetext')).toBe('61%');
      await page.keyboard.press('Home');
      expect(await slider.inputValue()).toBe('0');
      await close();
    }
  });

  it('badges: every variant is there, and the animated one stands still under reduced motion', async () => {
    const { page, close } = await openGallery();
    const variants = await page.locator('[data-variant]').evaluateAll((all) => all.map((one) => one.dataset.variant));
    expect(new Set(variants)).toEqual(new Set(['soon', 'pro', 'new', 'new-animated', 'large', 'business', 'beta']));
    await expect
      .poll(() =>
        page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length),
      )
      .toBe(0);
    await close();
  });
});

describe('the gallery', () => {
  it.each([
    ['light', 'ltr'],
    ['dark', 'rtl'],
  ] as const)('is sound in %s, %s', async (theme, direction) => {
    const { page, expectQuiet, close } = await openGallery(`/ui?theme=${theme}&dir=${direction}`, {
      colorScheme: theme,
    });
    await expectSound(page, [390, 1440]);
    expectQuiet();
    await close();
  });
});
