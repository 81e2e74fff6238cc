import { inMilliseconds } from '@clearframe/contract';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { asOneChange, pauseClock } from '../../support/browser/clock.ts';
import { describeInLongRun, itInLongRun } from '../../support/browser/javascript.ts';
import { openMember, visitorOf } from '../../support/members.ts';
import { FOR_SALE, smallPicture } from '../../support/payments/checkout.ts';
import { subscribe } from '../../support/payments/purchases.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { openRestoredFace, shownFile, untilShown } from '../../support/result-page.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const PHONE = { width: 390, height: 844 } as const;
/** Nothing but the color is changed. */
const PLAIN = { upscale: { factor: 1 } } as const;

const afterPicture = (page: Page) => page.getByAltText('Your photo after');
const held = (page: Page) => page.locator('.viewer[data-held]');

describe('on a phone, beside the closed tools', () => {
  it('shows what was done, what is being done and why a change was refused', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
      viewport: PHONE,
      expectedStatus: 503,
    });
    await openRestoredFace(page);
    const handle = page.getByRole('button', { name: text('result:edit'), exact: true });
    await page.getByText('1 face restored.').waitFor();
    await page.getByText('120 → 480 px').first().waitFor();

    const sent = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await page.route('**/result/tools', async (route) => {
      sent.resolve();
      await released.promise;
      await route.continue();
    });
    await handle.click();
    await page.getByRole('tab', { name: text('result:panel.sections.color') }).click();
    await page.locator('input[name=colorEnhance][value=golden]').check();
    await sent.promise;
    // Closed from within; the focus stays on the page.
    await page.locator('input[name=colorEnhance][value=golden]').press('Escape');
    await expect.poll(() => handle.getAttribute('aria-expanded')).toBe('false');
    await expect.poll(() => handle.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.getByRole('progressbar', { name: text('result:panel.progress') }).waitFor();
    await page.getByRole('button', { name: text('common:cancel') }).waitFor();
    await untilShown(page, async () => released.resolve());
    await page.getByRole('status').getByText('Showing version 2').waitFor();
    await page.getByText(text('result:panel.preview.business')).waitFor();

    await page.unroute('**/result/tools');
    await page.route('**/result/tools', (route) =>
      route.fulfill({ status: 503, json: { problem: { code: 'queue.full', requestId: 'x' } } }),
    );
    await handle.click();
    await page.locator('input[name=colorEnhance][value=teal]').check();
    await page.locator('input[name=colorEnhance][value=teal]').press('Escape');
    await page.getByRole('alert').getByText(text('common:errors.queue.full')).waitFor();
    await page.getByRole('button', { name: text('result:panel.discard') }).click();
    await page.getByText(text('result:panel.preview.business')).waitFor();
    expectNoErrors();
    await close();
  });

  itInLongRun('a closer look after an hour gets new addresses of the pictures', async () => {
    const { page, close } = await openPage(browser(), product.url, { viewport: PHONE, hasTouch: true, isMobile: true });
    const taskId = await openRestoredFace(page);
    const shown = async () => new URL(await shownFile(afterPicture(page))).pathname.split('/').at(-1);
    await expect.poll(shown).toBe('medium.webp');
    await page.evaluate((ms) => {
      const { now } = Date;
      Date.now = () => now() + ms;
    }, inMilliseconds.hours(1));
    // The server's clock goes on as before, so it would sign the same URLs again.
    await page.evaluate((path) => {
      const { fetch } = globalThis;
      globalThis.fetch = async (...request) => {
        const response = await fetch(...request);
        if (new URL(response.url).pathname !== path) return response;
        return new Response((await response.text()).replaceAll(/display\.jpg\?/g, '$&renewed=yes&'), response);
      };
    }, `/tasks/${taskId}`);
    const isRenewed = (url: string) => new URL(url).searchParams.has('renewed');
    await page.route('**/display.jpg?*', (route) =>
      isRenewed(route.request().url()) ? route.continue() : route.fulfill({ status: 403 }),
    );
    await page.getByRole('button', { name: text('result:view.zoomIn') }).click();
    for (const alt of ['Your photo before', 'Your photo after'])
      await expect.poll(async () => isRenewed(await shownFile(page.getByAltText(alt)))).toBe(true);
    for (const alt of ['Your photo before', 'Your photo after']) {
      const width = () => page.getByAltText(alt).evaluate((image: HTMLImageElement) => image.naturalWidth);
      await expect.poll(width).toBeGreaterThan(0);
    }
    await close();
  });
});

describeInLongRun('the view of a result', () => {
  itInLongRun('shows the original while it is held, and until the next press of a key', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url);
    const visitor = await visitorOf(page);
    const taskId = await visitor.enhance(await smallPicture(), 'sea.jpg', PLAIN);
    await page.clock.install();
    await page.goto(`/result?taskId=${taskId}`);
    await untilHydrated(page);
    // A slow click would be a long press.
    await pauseClock(page);
    const viewer = page.getByRole('region', { name: text('result:view.label') });
    const box = await viewer.boundingBox();
    if (!box) throw new Error('no viewer');
    await page.mouse.move(box.x + box.width * 0.7, box.y + box.height * 0.3);
    await page.mouse.down();
    await page.clock.runFor(400);
    await held(page).waitFor();
    await page.mouse.up();
    await held(page).waitFor({ state: 'detached' });

    const button = page.getByRole('button', { name: text('result:hold') });
    await button.hover();
    await page.mouse.down();
    await held(page).waitFor();
    await page.clock.runFor(400);
    await page.mouse.up();
    await held(page).waitFor({ state: 'detached' });
    await button.click();
    await held(page).waitFor();
    for (const key of ['Enter', 'Space']) {
      await button.press(key);
      await held(page).waitFor({ state: 'detached' });
      await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false');
      await button.press(key);
      await held(page).waitFor();
      await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true');
    }

    await page.clock.resume();
    const width = () => afterPicture(page).evaluate((image) => image.getBoundingClientRect().width);
    const fitted = await width();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.wheel(0, -300);
    await expect.poll(width).toBeGreaterThan(fitted * 1.4);
    expectNoErrors();
    await close();
  });
});

describe('a result', () => {
  it('takes strength and size, and undoes the last change', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    await subscribe(account, 'business');
    const taskId = await account.enhance(await smallPicture(), 'sea.jpg', { colorEnhance: { model: 'golden' } });
    await page.clock.install();
    await page.goto(`/result?taskId=${taskId}`);
    await untilHydrated(page);
    const newest = async () => (await account.task(taskId)).result.outputs[0];
    await page.getByRole('tab', { name: text('result:panel.sections.color') }).click();
    const strength = page.getByRole('slider', {
      name: `${text('result:panel.tools.colorEnhance')}: ${text('result:panel.strength')}`,
    });
    await untilShown(page, () =>
      asOneChange(page, async () => {
        await strength.press('ArrowLeft');
        await strength.press('ArrowLeft');
      }),
    );
    expect((await newest())?.aiPipeline).toEqual({ colorEnhance: { model: 'golden', strength: 0.9 } });
    await page.getByRole('tab', { name: text('result:panel.sections.more') }).click();
    await untilShown(page, () => page.getByLabel(text('result:panel.upscale.title')).selectOption('2'));
    expect(await newest()).toMatchObject({ width: 240, height: 180, aiPipeline: { upscale: { factor: 2 } } });
    await page.getByText('120 → 240 px').first().waitFor();
    await untilShown(page, () => page.getByRole('link', { name: text('result:panel.results.undo') }).click());
    await page.getByRole('tab', { name: text('result:panel.sections.color') }).click();
    await expect.poll(() => strength.inputValue()).toBe('90');
    await page.getByRole('status').getByText('Showing version 2').waitFor();
    expectNoErrors();
    await close();
  });

  itInLongRun('is clean on its page once the visitor has subscribed', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    const taskId = await account.enhance(await smallPicture(), 'sea.jpg', FOR_SALE);
    await page.goto(`/result?taskId=${taskId}`);
    await page.getByText(text('result:watermark')).waitFor();
    const bytes = async () => (await page.request.get(await shownFile(afterPicture(page)))).body();
    const marked = await bytes();
    await subscribe(account, 'business');
    await page.reload();
    await untilHydrated(page);
    await page.getByRole('link', { name: text('result:download'), exact: true }).waitFor();
    await expect.poll(() => page.getByText(text('result:watermark')).count()).toBe(0);
    await expect.poll(async () => (await bytes()).equals(marked)).toBe(false);
    expectNoErrors();
    await close();
  });
});
