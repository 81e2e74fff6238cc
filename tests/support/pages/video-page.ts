import type { Locator, Page } from 'playwright-core';
import { until } from '../until.ts';

/** Limit of tests that wait for a video, which end earlier when it makes no progress. */
export const VIDEO_TEST_TIMEOUT_MS = 900_000;

const ENDED = 'ended';

/** Waits for a part of the result for as long as the page reports new progress. */
export async function untilEnhanced(page: Page, result: Locator): Promise<void> {
  const read = async () =>
    (await result.first().isVisible()) ? ENDED : (await page.locator('.stage-status').allTextContents()).join();
  for (let told = ''; told !== ENDED; ) {
    told = await until('the video makes progress', async () => {
      // Without scripts the page refreshes itself and may do so while it is read.
      const text = await read().catch(() => told);
      return text !== told && text;
    });
  }
}
