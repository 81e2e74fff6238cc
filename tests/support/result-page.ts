import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import { visitorOf } from './members.ts';
import { blurredFace } from './portrait.ts';
import { untilHydrated } from './sign-in.ts';

export interface PictureFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

export const jpegFile = (buffer: Buffer): PictureFile => ({ name: 'grandmother.jpg', mimeType: 'image/jpeg', buffer });

/** URL of the file that the browser has chosen for its screen. */
export const shownFile = (picture: Locator): Promise<string> =>
  picture.evaluate((image: HTMLImageElement) => image.currentSrc);

/** Small pictures are enlarged. */
export const ENLARGED = 4;

export async function expectBeforeAndAfter(page: Page, side: number): Promise<void> {
  for (const [alt, width] of [
    ['Your photo before', side],
    ['Your photo after', side * ENLARGED],
  ] as const) {
    const picture = page.getByAltText(alt);
    await picture.waitFor();
    await page.waitForFunction((name) => {
      const image = document.querySelector<HTMLImageElement>(`img[alt="${name}"]`);
      return image?.complete && image.naturalWidth > 0;
    }, alt);
    // The size of an image element follows from the density of the file that the browser has chosen.
    const file = await page.request.get(await shownFile(picture));
    const { width: fileWidth, height } = await sharp(await file.body()).metadata();
    expect([fileWidth, height]).toEqual([width, width]);
  }
}

/** The displayed result's file, without its signature, which is renewed. */
export async function shownResult(page: Page): Promise<string> {
  const address = await page.getByAltText('Your photo after').getAttribute('src');
  return new URL(address ?? '', page.url()).pathname;
}

/** Runs a step that shows another result. Also for pages without JavaScript, which refresh themselves. */
export async function untilShown(page: Page, step: () => Promise<unknown>): Promise<void> {
  const before = await shownResult(page);
  await step();
  await expect.poll(() => shownResult(page)).not.toBe(before);
}

/** Restores a blurred face of 120 pixels for the page's visitor and opens the result, ready for input. Returns the task's id. */
export async function openRestoredFace(page: Page): Promise<string> {
  const visitor = await visitorOf(page);
  const taskId = await visitor.enhance(await blurredFace(120), 'grandmother.jpg');
  await page.goto(`/result?taskId=${taskId}`);
  await untilHydrated(page);
  return taskId;
}
