import { expect, it } from 'vitest';
import { useBrowser } from '../../support/browser/browser.ts';
import { sampleOf } from '../../support/browser/javascript.ts';
import { areReachable } from '../../support/browser/presses.ts';
import { openMember } from '../../support/members.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { untilHydrated } from '../../support/sign-in.ts';

const product = sharedProduct();
const browser = useBrowser();
/** Narrower than the rows. */
const viewport = { width: 360, height: 640 } as const;

/** Long words, right to left, and a script without spaces. */
const LANGUAGES = ['de', 'ar', 'ja'];

it.each(sampleOf(LANGUAGES))('filters and tabs are one row, which shows the selected entry (%s)', async (locale) => {
  const { page, expectNoErrors, close } = await openMember(browser(), product.url, {
    locale,
    viewport,
  });
  for (const address of ['/history?show=failed', '/account/plugin-key']) {
    await page.goto(address);
    const row = page.locator('.scroll-row');
    const tops = () =>
      row.getByRole('link').evaluateAll((links) => [...new Set(links.map((link) => link.getBoundingClientRect().top))]);
    await expect.poll(async () => (await tops()).length).toBe(1);
    await expect.poll(() => areReachable(row.locator('[aria-current]'))).toEqual([true]);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
  }
  expectNoErrors();
  await close();
});

it('a row of filters shows the selected entry after its font has arrived late', async () => {
  const { page, expectNoErrors, close } = await openMember(browser(), product.url, { locale: 'ja', viewport });
  const fonts = Promise.withResolvers<void>();
  await page.route('**/*.woff2', async (route) => {
    await fonts.promise;
    await route.continue();
  });
  await page.goto('/history?show=failed', { waitUntil: 'domcontentloaded' });
  await untilHydrated(page);
  const status = () => page.evaluate(() => document.fonts.status);
  await expect.poll(status).toBe('loading');
  fonts.resolve();
  await expect.poll(status).toBe('loaded');
  await expect.poll(() => areReachable(page.locator('.scroll-row [aria-current]'))).toEqual([true]);
  expectNoErrors();
  await close();
});
