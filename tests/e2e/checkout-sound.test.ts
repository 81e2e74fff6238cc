import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, openPage } from '../support/browser.ts';
import { choosePlan, payWith } from '../support/paying.ts';
import { sharedProduct } from '../support/shared-product.ts';
import { newEmail, untilLive } from '../support/sign-in.ts';
import { signIn } from '../support/signed-in.ts';

const product = sharedProduct();
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
});

/** Nothing sticks out sideways at any width, and axe finds nothing. */
async function expectSound(page: Page): Promise<void> {
  for (const width of [390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${page.url()} at ${width}`).toBe(0);
  }
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  it.each(['en-US', 'ar'])('the pages of money are sound in %s', async (locale) => {
    const email = newEmail();
    const english = await openPage(browser, product.url);
    await signIn(english.page, product.url, email);
    await choosePlan(english.page, 'Personal');
    await english.page.getByRole('button', { name: 'Pay by card' }).click();
    await payWith(english.page, 'good');
    await english.page.waitForURL('**/account/subscription');
    await english.page.goto('/upgrade?period=monthly');
    const upgrade = await english.page.getByRole('link', { name: 'Upgrade to Business' }).getAttribute('href');
    const buy = await english.page.getByRole('link', { name: 'Buy: 3 downloads' }).getAttribute('href');
    await english.close();

    const { page, expectQuiet, close } = await openPage(browser, product.url, {
      colorScheme,
      locale,
      reducedMotion: 'reduce',
    });
    await signIn(page, product.url, email);
    for (const address of [
      '/upgrade?period=yearly',
      String(upgrade),
      `${buy}&problem=payments.declined`,
      '/account/subscription',
      '/account/subscription/cancel',
      '/account/limits',
      '/subscription/cancel',
      '/unavailable',
    ]) {
      await page.goto(address);
      await untilLive(page);
      await expectSound(page);
    }
    expectQuiet();
    await close();
  });
});
