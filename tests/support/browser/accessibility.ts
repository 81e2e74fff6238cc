import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** The version that the builder has. */
const AXE = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);
const NOTHING = 'undefined';

/** Directions and color schemes are independent, so two combinations cover all. */
export const APPEARANCES = [
  { locale: 'en-US', colorScheme: 'light' },
  { locale: 'ar', colorScheme: 'dark' },
] as const;
export type Appearance = (typeof APPEARANCES)[number];

/** @param disabledRules ids of axe's rules */
export async function expectAccessible(
  page: Page,
  widths: readonly number[] = [],
  disabledRules: string[] = [],
): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoOverflow(page);
  }
  await expectNoOverflow(page);
  const builder = new AxeBuilder({ page, axeSource: await sourceFor(page) })
    .options({ resultTypes: ['violations'] })
    .disableRules(disabledRules);
  // The default mode opens a second page per run, needed only for cross-origin frames.
  const { violations } = await builder.setLegacyMode().analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

/** What the builder evaluates, twice in each run: its own source of a megabyte would take longer than the rules. */
async function sourceFor(page: Page): Promise<string> {
  if (page.frames().length > 1) return AXE;
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return NOTHING;
}

/** Polls, because media queries apply with the frame after a resize. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  const message = `${page.url()} at ${page.viewportSize()?.width}`;
  await expect.poll(overflow, { message }).toBe(0);
}
