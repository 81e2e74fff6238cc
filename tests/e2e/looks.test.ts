import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { launchBrowser, openPage } from '../support/browser.ts';
import { sharedProduct } from '../support/shared-product.ts';
import { expectSound, LOOKS } from '../support/sound.ts';

const WIDTHS = [390, 768, 1440];
const product = sharedProduct();
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
});

describe.each(LOOKS)('in $locale, $colorScheme', (look) => {
  it('home, result and error pages are sound at every width', async () => {
    const { page, close } = await openPage(browser, product.url, {
      ...look,
      expectedStatus: 404,
      reducedMotion: 'reduce',
    });
    await page.goto('/');
    await page.locator('button[name="sample"]').first().click();
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
