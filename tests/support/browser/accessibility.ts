import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * The looks that pages are judged in: both directions and both colour schemes. The two do not depend on one another,
 * so that half of the combinations shows what all of them would, in half the time.
 */
export const LOOKS = [
  { locale: 'en-US', colorScheme: 'light' },
  { locale: 'ar', colorScheme: 'dark' },
] as const;
export type Look = (typeof LOOKS)[number];

/** Nothing sticks out sideways at any of the widths, and axe finds nothing at the last of them. */
export async function expectSound(page: Page, widths: readonly number[] = []): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await expectNothingSideways(page);
  }
  await expectNothingSideways(page);
  const builder = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
  // The other mode opens a second page for each judgement, which matters only for frames of other sites.
  const { violations } = await builder.setLegacyMode().analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

/** Nothing sticks out. A page that has just changed its width obeys its media queries with the next frame. */
export async function expectNothingSideways(page: Page): Promise<void> {
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  const message = `${page.url()} at ${page.viewportSize()?.width}`;
  await expect.poll(overflow, { message }).toBe(0);
}
