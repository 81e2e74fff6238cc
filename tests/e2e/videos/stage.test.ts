import { videoRoutes } from '@clearframe/contract';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../../support/browser/accessibility.ts';
import { useBrowser } from '../../support/browser/browser.ts';
import { createClip } from '../../support/clip.ts';
import { openMember } from '../../support/members.ts';
import { subscribe } from '../../support/payments/purchases.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';
import { submitVideo, untilEnhanced, VIDEO_TEST_TIMEOUT_MS } from '../../support/video-page.ts';

const product = sharedProduct();
const browser = useBrowser();

const videoPage = (videoTaskId: string) => `/result?taskId=${videoTaskId}&mediaType=video`;
const players = (page: Page) => page.locator('.viewer video');
/** Width of each player on the page in CSS pixels; both have the same. */
async function widthOf(page: Page): Promise<number> {
  const boxes = await players(page).evaluateAll((all) => all.map((each) => each.getBoundingClientRect().width));
  expect(boxes).toHaveLength(2);
  expect(boxes[0]).toBeCloseTo(boxes[1] ?? 0, 1);
  return boxes[0] ?? 0;
}

describe('the stage of a video', { timeout: VIDEO_TEST_TIMEOUT_MS }, () => {
  const pipeline = { backgroundEnhance: { model: 'base' } } as const;

  it('zooms both videos together, keeps the zoom through steps and shows the original while it is held', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    await subscribe(account, 'business');
    const videoTaskId = await submitVideo(account, await createClip({ seconds: 1 }), pipeline);
    await page.goto(videoPage(videoTaskId));
    await untilEnhanced(page, players(page));
    await untilHydrated(page);
    const stage = page.getByRole('region', { name: text('result:video.view') });
    const fitted = await widthOf(page);
    await page.getByRole('button', { name: text('result:view.zoomIn') }).click();
    await expect.poll(() => widthOf(page)).toBeGreaterThan(fitted * 1.2);
    const closer = await widthOf(page);

    await page.getByRole('button', { name: text('result:video.nextFrame'), exact: true }).click();
    await page.locator('.video-transport').getByText('Frame 2', { exact: true }).waitFor();
    await expect.poll(() => widthOf(page)).toBeCloseTo(closer, 1);
    const hold = page.getByRole('button', { name: text('result:hold') });
    // A slow click would be a long press.
    await hold.press('Enter');
    await page.locator('.viewer[data-held]').waitFor();
    await page.getByRole('button', { name: text('result:video.nextFrame'), exact: true }).click();
    await page.locator('.video-transport').getByText('Frame 3', { exact: true }).waitFor();
    await expect.poll(() => page.locator('.viewer[data-held]').count()).toBe(1);
    await hold.press('Enter');
    await page.locator('.viewer[data-held]').waitFor({ state: 'detached' });

    const divider = page.getByRole('slider', { name: text('result:compare') });
    const before = await divider.inputValue();
    await divider.press('ArrowRight');
    await expect.poll(() => divider.inputValue()).not.toBe(before);
    await stage.focus();
    await page.keyboard.press('0');
    await expect.poll(() => widthOf(page)).toBeCloseTo(fitted, 1);
    expectNoErrors();
    await close();
  });

  it('counts the frames, says the time left and shows a pair of pictures while it is enhanced; then it is cancelled', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    await subscribe(account, 'business');
    const videoTaskId = await submitVideo(account, await createClip({ seconds: 100, grain: 40 }), pipeline);
    await page.goto(videoPage(videoTaskId));
    await untilHydrated(page);
    const status = page.locator('.stage-status');
    await untilEnhanced(page, status.getByText(/^Frame [\d,]+ of 2,500$/));
    await status.getByText(/^About \d+ (s|min) left$/).waitFor();
    const pair = page.getByRole('region', { name: text('result:view.label') });
    await untilEnhanced(page, pair);
    for (const name of ['common:before', 'common:after'] as const) {
      const width = () =>
        pair.getByAltText(text(name), { exact: true }).evaluate((image: HTMLImageElement) => image.naturalWidth);
      await expect.poll(width).toBe(320);
    }
    await expectAccessible(page);

    // On a phone the status has room for all of its lines.
    await page.setViewportSize({ width: 390, height: 844 });
    const showsAll = () =>
      status.evaluate((panel) => {
        const { top, bottom } = panel.getBoundingClientRect();
        const boxes = [...panel.children].map((line) => line.getBoundingClientRect());
        return boxes.every((line) => line.top >= top && line.bottom <= bottom);
      });
    await expect.poll(showsAll).toBe(true);

    await page.getByRole('button', { name: text('common:cancel'), exact: true }).click();
    await page.getByRole('heading', { name: text('processing:cancelled.title') }).waitFor();
    // Nothing is kept that could be deleted later.
    await page.getByRole('contentinfo').getByText(text('footer:promiseMember')).waitFor();
    const { status: ended } = await account.call(videoRoutes.getVideoTask, { params: { videoTaskId } });
    expect(ended).toBe('cancelled');
    expectNoErrors();
    await close();
  });
});
