import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ARABIC, ENGLISH, useGallery, usePage } from '../../support/browser/gallery.ts';
import { itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';

const { openGallery } = useGallery();
const english = usePage(() => openGallery(ENGLISH));
const arabic = usePage(() => openGallery(ARABIC));

describe('segmented selector', () => {
  /** Offset of the indicator, in its widths; negative to the left. */
  const slid = (group: Locator) =>
    group.locator('.segmented-indicator').evaluate((indicator) => {
      const traveled = Number.parseFloat(getComputedStyle(indicator).translate) || 0;
      return getComputedStyle(indicator).translate.includes('%')
        ? traveled / 100
        : traveled / indicator.getBoundingClientRect().width;
    });

  it('selects the first option by default and labels an option by its key when it has no label', async () => {
    const page = english();
    await expect.poll(() => page.getByRole('radio', { name: 'JPEG' }).isChecked()).toBe(true);
    await expect.poll(() => page.getByRole('radio', { name: 'Monthly' }).isChecked()).toBe(true);
  });

  it('selects by click, calls the setter and the action, and slides by one or two widths', async () => {
    const page = english();
    const group = page.getByRole('radiogroup', { name: 'Billing period' });
    for (const [name, key, widths] of [
      ['Yearly', 'yearly', 2],
      ['Weekly', 'weekly', 0],
      ['Monthly', 'monthly', 1],
    ] as const) {
      await group.getByText(name).click();
      await expect.poll(() => group.getByRole('radio', { name }).isChecked()).toBe(true);
      await expect.poll(() => page.getByText(key, { exact: true }).first().textContent()).toBe(key);
      await expect.poll(() => slid(group)).toBeCloseTo(widths);
    }
  });

  it('is mirrored right to left', async () => {
    const page = arabic();
    const group = page.getByRole('radiogroup').first();
    const radios = group.getByRole('radio');
    await group.locator('.segment').nth(2).click();
    await expect.poll(() => slid(group)).toBeCloseTo(-2);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => radios.nth(1).isChecked()).toBe(true);
    await expect.poll(() => slid(group)).toBeCloseTo(-1);
  });

  it('moves with the arrow keys, and disabled options can’t be selected', async () => {
    const page = english();
    const format = (name: string) => page.getByRole('radio', { name });
    await format('JPEG').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => format('PNG').isChecked()).toBe(true);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => format('JPEG').isChecked()).toBe(true);
    await page.getByText('TIFF').click({ force: true });
    await expect.poll(() => format('TIFF').isChecked()).toBe(false);
    await expect.poll(() => format('TIFF').isDisabled()).toBe(true);
  });

  it('sets a discount of 18 characters or more smaller', async () => {
    const page = english();
    const size = (text: string) =>
      page.getByText(text, { exact: true }).evaluate((badge) => Number.parseFloat(getComputedStyle(badge).fontSize));
    expect('You are saving 16%').toHaveLength(18);
    await expect.poll(() => size('You are saving 16%')).toBeLessThan(await size('Save 35%'));
  });
});

describe('form', () => {
  it('disables its submit button while it is submitted, by navigation and by fetcher', async () => {
    const page = english();
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
  });

  itWithAndWithoutJavaScript('submits its choices and switches', { short: 'without' }, async (javaScriptEnabled) => {
    const { page, expectNoErrors, close } = await openGallery(ENGLISH, { javaScriptEnabled });
    const form = page.locator('form').filter({ has: page.getByLabel('Your name') });
    await form.getByLabel('Your name').fill('Ada');
    await form.getByText('Videos').click();
    await form.getByRole('switch').check();
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Received: name=Ada, mode-light-ltr=videos, face=on').waitFor();
    expectNoErrors();
    await close();
  });
});

describe('other widgets', () => {
  it('toggle: by click and space bar, and not when it is disabled', async () => {
    const page = english();
    const toggle = page.getByRole('switch', { name: 'Switched off' });
    await toggle.click();
    await expect.poll(() => toggle.isChecked()).toBe(true);
    await page.keyboard.press('Space');
    await expect.poll(() => toggle.isChecked()).toBe(false);
    const locked = page.getByRole('switch', { name: 'Off, and' });
    await locked.click({ force: true });
    await expect.poll(() => locked.isChecked()).toBe(false);
    await expect.poll(() => locked.isDisabled()).toBe(true);
  });

  it('spinner: 80 by 80 by default', async () => {
    const page = english();
    const spinner = page.getByRole('status').filter({ hasText: 'Loading' }).locator('svg');
    await expect.poll(() => spinner.evaluate((svg) => [svg.clientWidth, svg.clientHeight])).toEqual([80, 80]);
  });

  it('slider: by keyboard, mirrored right to left, with a text value', async () => {
    for (const [page, key] of [
      [english(), 'ArrowRight'],
      [arabic(), 'ArrowLeft'],
    ] as const) {
      const slider = page.locator('.slider').first();
      await slider.focus();
      await page.keyboard.press(key);
      await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('61%');
      await page.keyboard.press('Home');
      await expect.poll(() => slider.inputValue()).toBe('0');
    }
  });

  it('badges: every variant is shown, without animation under reduced motion', async () => {
    const page = english();
    const variants = await page.locator('[data-variant]').evaluateAll((all) => all.map((one) => one.dataset.variant));
    expect(new Set(variants)).toEqual(
      new Set(['soon', 'pro', 'new', 'new-animated', 'large', 'business', 'beta', 'problem']),
    );
    await expect
      .poll(() =>
        page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length),
      )
      .toBe(0);
  });
});
