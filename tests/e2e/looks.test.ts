import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, openPage } from '../support/browser.ts';
import { sharedProduct } from '../support/shared-product.ts';

const WIDTHS = [390, 768, 1440];
const product = sharedProduct();
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
});

/** Nothing sticks out sideways, and axe finds nothing. */
async function expectSound(page: Page): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  it('home, result and error pages are sound at every width', async () => {
    const { page, close } = await openPage(browser, product.url, {
      colorScheme,
      expectedStatus: 404,
      reducedMotion: 'reduce',
    });
    await page.goto('/');
    await page.getByRole('button', { name: 'Enhance a blurred portrait' }).click();
    await page.waitForURL(/\/result\?taskId=/);
    const result = page.url();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      for (const address of ['/', result, '/nothing-here']) {
        await page.goto(address);
        await expectSound(page);
      }
    }
    await close();
  });
});
