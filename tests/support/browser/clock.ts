import type { Page } from 'playwright-core';

/** Longer than two commands to the browser take on a slow machine, shorter than the page's addresses of files last. */
const AHEAD_MS = 30_000;

/** Stops the page's timers, at a time somewhat ahead. Needs `page.clock.install()` before. */
export async function pauseClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + AHEAD_MS);
}

/**
 * Runs steps while the page's timers are stopped: the page takes them for one change, however long they take on a slow
 * machine. Needs `page.clock.install()` before.
 */
export async function asOneChange(page: Page, steps: () => Promise<unknown>): Promise<void> {
  await pauseClock(page);
  await steps();
  await page.clock.resume();
}
