import { hasResult } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { describeInLongRun, itInLongRun } from '../../support/browser/javascript.ts';
import { visitorOf } from '../../support/members.ts';
import { smallPicture } from '../../support/payments/checkout.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { until } from '../../support/product/until.ts';
import { jpegFile } from '../../support/result-page.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

describe('the sample of the home page', () => {
  it('is compared by dragging and by keys', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url);
    await page.goto('/');
    await untilHydrated(page);
    const slider = page.locator('.compare').getByRole('slider').first();
    const position = async () => Number(await slider.inputValue());
    const box = await slider.boundingBox();
    if (!box) throw new Error('no slider');
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width / 2, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.8, y, { steps: 5 });
    await page.mouse.up();
    await expect.poll(position).toBeGreaterThan(70);
    await slider.press('Home');
    for (const [key, value] of [
      ['ArrowRight', '2'],
      ['Shift+ArrowRight', '12'],
      ['ArrowLeft', '10'],
      ['End', '100'],
    ] as const) {
      await slider.press(key);
      await expect.poll(() => slider.inputValue()).toBe(value);
    }
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('Before: 100%');
    expectNoErrors();
    await close();
  });
});

describeInLongRun('a guest’s photo', () => {
  itInLongRun('is shown without a reveal under reduced motion', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { reducedMotion: 'reduce' });
    await page.goto('/');
    await untilHydrated(page);
    await page.evaluate(() => {
      const phases: string[] = [];
      Object.assign(window, { recordedPhases: phases });
      new MutationObserver(() => {
        const phase = document.querySelector<HTMLElement>('[data-reveal]')?.dataset.reveal;
        if (phase) phases.push(phase);
      }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-reveal'] });
    });
    await page.getByLabel('Choose a photo').setInputFiles(jpegFile(await smallPicture()));
    await page.waitForURL(/\/result\?taskId=/);
    await page.getByAltText('Your photo after').waitFor();
    await expect.poll(() => page.getByRole('slider', { name: text('result:compare') }).inputValue()).toBe('25');
    await expect.poll(() => page.evaluate(() => Reflect.get(window, 'recordedPhases'))).toEqual([]);
    expectNoErrors();
    await close();
  });

  itInLongRun('is announced in the header once it is ready', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url);
    const visitor = await visitorOf(page);
    await page.goto('/');
    const taskId = await visitor.submit(await smallPicture());
    // The page of the progress, which the visitor leaves.
    await page.request.get(`/tasks/${taskId}`);
    await until('the photo has a result', async () => hasResult((await visitor.task(taskId)).status));
    await page.goto('/pricing');
    const photos = page.getByRole('banner').getByRole('link', { name: text('header:photos') });
    await photos.getByText(text('header:photosReady')).waitFor();
    await photos.click();
    // The address changes before the page is rendered, and only a page that was shown counts as seen.
    await page.getByRole('heading', { level: 1, name: text('account:history.title') }).waitFor();
    await page
      .getByRole('banner')
      .getByRole('link', { name: text('header:home') })
      .click();
    await page.getByLabel('Choose a photo').waitFor({ state: 'attached' });
    await photos.getByText(text('header:photosReady')).waitFor({ state: 'detached' });
    expectNoErrors();
    await close();
  });
});
