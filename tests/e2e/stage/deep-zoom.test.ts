import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { APPEARANCES, expectAccessible } from '../../support/browser/accessibility.ts';
import { useBrowser } from '../../support/browser/browser.ts';
import { openMember } from '../../support/members.ts';
import { subscribe } from '../../support/payments/purchases.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const LARGE = { width: 4200, height: 2800 } as const;
const ORIGINAL = { outputSize: 'original' } as const;

/** Lines of one pixel: in a display file they are one gray. */
async function lines(): Promise<Buffer> {
  const line = Buffer.from([0, 0, 0, 255, 255, 255]);
  const pattern = await sharp(line, { raw: { width: 2, height: 1, channels: 3 } })
    .png()
    .toBuffer();
  return sharp({ create: { ...LARGE, channels: 3, background: '#000' } })
    .composite([{ input: pattern, tile: true }])
    .jpeg({ quality: 95 })
    .toBuffer();
}

async function openLarge(options: Parameters<typeof openMember>[2] = {}) {
  const member = await openMember(browser(), product.url, options);
  await subscribe(member.account, 'business');
  const taskId = await member.account.enhance(await lines(), 'fence.jpg', ORIGINAL);
  await member.page.goto(`/result?taskId=${taskId}`);
  return { ...member, taskId };
}

/** Of the middle of each side's canvas: how much neighbors differ on average, of 255. */
const contrasts = (page: Page): Promise<number[]> =>
  page.locator('canvas.viewer-tiles').evaluateAll((canvases) =>
    (canvases as HTMLCanvasElement[]).map((canvas) => {
      const [x, y] = [Math.floor(canvas.width / 2), Math.floor(canvas.height / 2)];
      // The page's own would warn of being read often.
      const copy = new OffscreenCanvas(64, 1).getContext('2d', { willReadFrequently: true });
      copy?.drawImage(canvas, x, y, 64, 1, 0, 0, 64, 1);
      const { data } = copy?.getImageData(0, 0, 64, 1) ?? { data: [] };
      let sum = 0;
      for (let at = 4; at < data.length; at += 4) sum += Math.abs((data[at] ?? 0) - (data[at - 4] ?? 0));
      return sum / 63;
    }),
  );

const isSharp = async (page: Page): Promise<boolean[]> => (await contrasts(page)).map((contrast) => contrast > 100);

describe('a result larger than its display file', () => {
  it('shows its own pixels on both sides, of the visible part only', async () => {
    const { page, expectNoErrors, close } = await openLarge();
    await untilHydrated(page);
    const tiles = new Set<string>();
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/media/tiles/')) tiles.add(pathname);
    });
    const viewer = page.getByRole('region', { name: text('result:view.label') });
    await page.getByRole('button', { name: text('result:view.actualSize') }).click();
    await page.locator('.viewer-controls').getByText('100%').waitFor();
    await expect.poll(() => isSharp(page)).toEqual([true, true]);
    // All of a level are 54 for each side.
    expect(tiles.size).toBeLessThan(54);
    for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowUp']) await viewer.press(key);
    await expect.poll(() => isSharp(page)).toEqual([true, true]);
    await viewer.press('+');
    await page.locator('.viewer-controls').getByText('150%').waitFor();
    await expect.poll(() => page.locator('canvas.viewer-tiles').count()).toBe(2);
    await viewer.press('0');
    await expect.poll(() => page.locator('canvas.viewer-tiles').count()).toBe(0);
    expectNoErrors();
    await close();
  });

  it.each(APPEARANCES)(
    'names pixels, megabytes and prints of each format, and is accessible while zoomed: %o',
    async (appearance) => {
      const { page, expectNoErrors, close } = await openLarge(appearance);
      await untilHydrated(page);
      await page.locator('.viewer-controls button').last().click();
      await expect.poll(() => isSharp(page)).toEqual([true, true]);
      await expectAccessible(page, [390, 1440]);
      await page.locator('button[popovertarget]').last().click();
      await page.getByRole('button', { name: /^PNG/ }).getByText('4,200 × 2,800 px').waitFor();
      await page.locator('.download-menu').getByText('300').waitFor();
      await expectAccessible(page);
      expectNoErrors();
      await close();
    },
  );

  it('links to the whole file without JavaScript', async () => {
    const { page, close } = await openLarge({ javaScriptEnabled: false });
    await page.getByAltText('Your photo after').waitFor();
    const address = await page.getByRole('link', { name: 'Full size: 4,200 × 2,800 px' }).getAttribute('href');
    const file = await page.request.get(address ?? '');
    expect(await sharp(await file.body()).metadata()).toMatchObject(LARGE);
    await close();
  });
});
