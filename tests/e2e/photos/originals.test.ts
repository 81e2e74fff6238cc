import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { openMember, visitorOf } from '../../support/members.ts';
import { smallPicture } from '../../support/payments/checkout.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';

const product = sharedProduct();
const browser = useBrowser();

/** Width and height of the files, in pixels. */
const SIDE = 64;

/** Uncompressed, by Adobe's file format specification: a header, three empty sections, then the color planes. */
function psd(): Buffer {
  const header = Buffer.alloc(26);
  header.write('8BPS');
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(3, 12);
  header.writeUInt32BE(SIDE, 14);
  header.writeUInt32BE(SIDE, 18);
  header.writeUInt16BE(8, 22);
  header.writeUInt16BE(3, 24);
  const planes = [90, 120, 150].map((level) => Buffer.alloc(SIDE * SIDE, level));
  return Buffer.concat([header, Buffer.alloc(4 * 3), Buffer.alloc(2), ...planes]);
}

const tiff = (): Promise<Buffer> =>
  sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: '#5b7a99' } })
    .tiff()
    .toBuffer();

const heic = (): Promise<Buffer> => readFile(new URL('../../../worker/test/fixtures/turned.heic', import.meta.url));

/** Browsers show none of these. */
const FILES = { 'sea.heic': heic, 'sea.psd': psd, 'sea.tif': tiff } as const;

const naturalWidth = (page: Page, alt: string): Promise<number> =>
  page.getByAltText(alt).evaluate((image: HTMLImageElement) => (image.complete ? image.naturalWidth : 0));

describe('the stage', () => {
  itWithAndWithoutJavaScript(
    'shows originals in formats that browsers cannot',
    { short: 'with' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
      for (const [name, make] of Object.entries(FILES)) {
        const taskId = await account.enhance(await make(), name, {});
        await page.goto(`/result?taskId=${taskId}`);
        for (const alt of ['Your photo before', 'Your photo after'])
          await expect.poll(() => naturalWidth(page, alt)).toBe(SIDE);
        expect((await account.task(taskId)).input.fileName).toBe(name);
      }
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript(
    'says that an untouched picture is unchanged or only scaled down, and asks for no money',
    { short: 'neither' },
    async (javaScriptEnabled) => {
      const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled });
      const visitor = await visitorOf(page);
      const untouched = { faceEnhance: { model: 'base' }, upscale: { factor: 1 } } as const;
      const taskId = await visitor.enhance(await smallPicture(), 'sea.jpg', untouched);
      await page.goto(`/result?taskId=${taskId}`);
      await page.getByText('Already sharp: we left it as it is.').waitFor();
      await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
      await expect.poll(() => page.locator('a[href*="/checkout"]').count()).toBe(0);
      await expect.poll(() => page.getByText('$').count()).toBe(0);
      await expect.poll(() => page.getByText('See pricing').count()).toBe(0);
      const wide = await sharp({ create: { width: 2100, height: 8, channels: 3, background: '#5b7a99' } })
        .jpeg()
        .toBuffer();
      await page.goto(`/result?taskId=${await visitor.enhance(wide, 'coast.jpg', untouched)}`);
      await page.getByText('Already sharp: we only scaled it down.').waitFor();
      await expect.poll(() => page.getByText('We enhanced').count()).toBe(0);
      expectNoErrors();
      await close();
    },
  );
});
