import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../../support/browser/accessibility.ts';
import { untilBrieflyShown } from '../../support/browser/brief.ts';
import { bytesOf, openPage, useBrowser } from '../../support/browser/browser.ts';
import { itInLongRun } from '../../support/browser/javascript.ts';
import { createClip } from '../../support/clip.ts';
import { openMember } from '../../support/members.ts';
import { subscribe } from '../../support/payments/purchases.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';
import { untilEnhanced, VIDEO_TEST_TIMEOUT_MS } from '../../support/video-page.ts';

const product = sharedProduct();
const browser = useBrowser();
const FRAME = 1 / 25;
let clip: Buffer;
let long: Buffer;
beforeAll(async () => {
  [clip, long] = await Promise.all([createClip(), createClip({ seconds: 61, size: '64x36' })]);
});

const video = (buffer: Buffer, name = 'beach.mp4') => ({ name, mimeType: 'video/mp4', buffer });
const bar = (page: Page) => page.getByRole('slider', { name: text('result:video.seek') });
const button = (page: Page, name: 'play' | 'pause' | 'previousFrame' | 'nextFrame') =>
  page.getByRole('button', { name: text(`result:video.${name}`), exact: true });

async function choose(page: Page, buffer: Buffer): Promise<void> {
  await page.goto('/');
  await untilHydrated(page);
  await page.setInputFiles('#upload-file', video(buffer));
}

/** Positions in seconds of both players, once they have ended seeking. */
const timesOf = (page: Page) =>
  page.locator('.viewer video').evaluateAll((elements) =>
    Promise.all(
      elements.map(async (element) => {
        const player = element as HTMLVideoElement;
        while (player.seeking || player.readyState < 2)
          await new Promise((resolve) => {
            for (const type of ['seeked', 'loadeddata', 'canplay'])
              player.addEventListener(type, resolve, { once: true });
          });
        return player.currentTime;
      }),
    ),
  );

/** Whether both players are at the same frame, and its number. */
async function framesOf(page: Page): Promise<readonly [boolean, number]> {
  const [before = 0, after = 0] = await timesOf(page);
  return [Math.abs(before - after) < FRAME / 2, Math.floor(after / FRAME)];
}

/** Polls: a player seeks some time after the press. */
const expectSameFrame = (page: Page, frame: number) => expect.poll(() => framesOf(page)).toEqual([true, frame]);

const tool = (page: Page, name: 'faceEnhance' | 'backgroundEnhance' | 'colorEnhance') =>
  page.getByLabel(text(`result:panel.tools.${name}`));

describe('a subscriber', { timeout: VIDEO_TEST_TIMEOUT_MS }, () => {
  it('uploads a video, compares it frame by frame, downloads, shares and finds it again', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    await subscribe(account, 'personal');
    await choose(page, clip);
    await page.waitForURL('**/result?taskId=*&mediaType=video');
    await untilEnhanced(page, bar(page));
    await expectAccessible(page);
    await expect.poll(() => page.title()).toBe(text('result:video.title'));

    await expectSameFrame(page, 0);
    await button(page, 'nextFrame').click();
    await button(page, 'nextFrame').click();
    await expectSameFrame(page, 2);
    await page.getByRole('region', { name: text('result:video.view') }).focus();
    await page.keyboard.press(',');
    await expectSameFrame(page, 1);
    await bar(page).fill('30');
    await expectSameFrame(page, 30);
    await page.getByRole('region', { name: text('result:video.view') }).focus();
    // It ends after less than a second.
    await untilBrieflyShown(page, 'button', text('result:video.pause'), () => page.keyboard.press(' '));
    await page.keyboard.press(' ');
    await button(page, 'play').waitFor();
    await expect.poll(async () => (await framesOf(page))[0]).toBe(true);

    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: text('result:video.download') }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('beach-clearframe.mp4');
    expect((await bytesOf(download)).subarray(4, 8).toString()).toBe('ftyp');

    await page.getByRole('link', { name: text('common:share') }).click();
    await page.getByRole('button', { name: text('result:share.create') }).click();
    const address = await page.getByLabel(text('result:share.link'), { exact: true }).inputValue();
    const visitor = await openPage(browser(), product.url);
    await visitor.page.goto(address);
    await untilHydrated(visitor.page);
    await visitor.page.getByRole('heading', { name: text('result:shared.heading') }).waitFor();
    await bar(visitor.page).waitFor();
    await timesOf(visitor.page);
    await button(visitor.page, 'nextFrame').click();
    await expectSameFrame(visitor.page, 1);
    visitor.expectNoErrors();
    await visitor.close();

    await page.goto('/history?show=videos');
    await page.getByText('0:02', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'beach.mp4' }).click();
    await bar(page).waitFor();

    const plans = page.getByRole('link', { name: text('result:plans'), exact: true });
    await expect.poll(() => plans.getAttribute('href')).toContain('/offer/business_models');
    const used = page.getByText(text('result:video.tools'), { exact: true });
    await used.waitFor();
    await expect.poll(() => tool(page, 'colorEnhance').isDisabled()).toBe(true);
    for (const name of ['faceEnhance', 'backgroundEnhance'] as const) await tool(page, name).setChecked(false);
    await page.getByRole('button', { name: text('result:panel.offer.applyNewer') }).click();
    await used.waitFor({ state: 'detached' });
    await untilEnhanced(page, bar(page));
    await expect.poll(() => tool(page, 'faceEnhance').isChecked()).toBe(false);
    await expect.poll(() => used.count()).toBe(0);
    expectNoErrors();
    await close();
  });

  itInLongRun(
    'without JavaScript gets both players, side by side or on a phone one below the other, and applies a color look',
    async () => {
      const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, {
        javaScriptEnabled: false,
      });
      await subscribe(account, 'business');
      await page.goto('/');
      await page.setInputFiles('#upload-file', video(clip));
      await page.getByRole('button', { name: text('home:drop.media.submit') }).click();
      await page.waitForURL('**/result?taskId=*&mediaType=video');
      const players = page.locator('video[controls]');
      await untilEnhanced(page, players);
      const boxes = () => Promise.all([players.nth(0).boundingBox(), players.nth(1).boundingBox()]);
      const [before, after] = await boxes();
      expect(before?.y).toBe(after?.y);
      expect((before?.x ?? 0) + (before?.width ?? 0)).toBeLessThanOrEqual(after?.x ?? 0);
      // Half of a phone is too narrow for the browser's controls.
      await page.setViewportSize({ width: 390, height: 844 });
      const areStacked = async () => {
        const [above, below] = await boxes();
        return above !== null && below !== null && above.x === below.x && above.y + above.height <= below.y;
      };
      await expect.poll(areStacked).toBe(true);

      await tool(page, 'faceEnhance').setChecked(false);
      await tool(page, 'backgroundEnhance').setChecked(false);
      await tool(page, 'colorEnhance').selectOption('teal');
      await page.getByRole('button', { name: text('result:panel.offer.applyNewer') }).click();
      // The tools of the new result are listed like those of the earlier one.
      const details = page.locator('dd').getByText(text('result:panel.tools.colorEnhance'), { exact: true });
      await untilEnhanced(page, details);
      await expect.poll(() => tool(page, 'colorEnhance').inputValue()).toBe('teal');
      await expect.poll(() => players.count()).toBe(2);
      expectNoErrors();
      await close();
    },
  );
});

describe('a video that is refused', () => {
  it('is offered to a guest, before bytes are sent, with and without JavaScript', async () => {
    const { page, close } = await openPage(browser(), product.url);
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()));
    await choose(page, clip);
    await page.getByRole('dialog', { name: text('tiers:offer.video.title') }).waitFor();
    expect(sent).toEqual([]);
    await close();

    const plain = await openPage(browser(), product.url, { javaScriptEnabled: false });
    await plain.page.goto('/');
    await plain.page.setInputFiles('#upload-file', video(clip));
    await plain.page.getByRole('button', { name: text('home:drop.submit') }).click();
    await plain.page.waitForURL('**/offer/video');
    await plain.close();
  });

  it('is an upgrade for Personal: by the browser, and by the server without JavaScript', async () => {
    const { page, account, close } = await openMember(browser(), product.url);
    await subscribe(account, 'personal');
    await choose(page, long);
    await page.getByRole('dialog', { name: text('tiers:offer.video_limit.title') }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/offer/video_limit');
    await close();

    const plain = await openMember(browser(), product.url, { javaScriptEnabled: false });
    await subscribe(plain.account, 'personal');
    await plain.page.goto('/');
    await plain.page.setInputFiles('#upload-file', video(long));
    await plain.page.getByRole('button', { name: text('home:drop.media.submit') }).click();
    await plain.page.waitForURL('**/offer/video_limit');
    await plain.close();
  });

  it('among photos is a wrong format', async () => {
    const { page, account, close } = await openMember(browser(), product.url);
    await subscribe(account, 'business');
    await page.goto('/');
    await untilHydrated(page);
    await page.setInputFiles('#upload-file', [video(clip), video(clip, 'other.mp4')]);
    const dialog = page.getByRole('dialog', { name: text('common:uploadError.wrongFileFormat.title') });
    await dialog.getByText(text('common:uploadError.wrongFileFormat.oneVideo')).waitFor();
    await close();
  });
});
