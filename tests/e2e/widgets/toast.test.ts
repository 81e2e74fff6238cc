import type { Locator, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { ENGLISH, useGallery, usePage } from '../../support/browser/gallery.ts';
import { itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';

const { openGallery, openFrozenGallery } = useGallery();
const isVisible = (locator: Locator) => locator.isVisible();

describe('toast', () => {
  const toastOf = (page: Page, text: string) => page.locator('.toast').filter({ hasText: text });

  const frozen = usePage(openFrozenGallery);
  afterEach(async () => {
    await frozen().mouse.move(1, 1);
    await frozen().clock.runFor(10_000);
    await frozen().locator('.toast').waitFor({ state: 'detached' });
  });

  it('closes after 2000 ms and leaves the list', async () => {
    const page = frozen();
    await page.getByRole('button', { name: 'Show a toast' }).click();
    await toastOf(page, 'Link copied').waitFor();
    await page.clock.runFor(1999);
    await expect.poll(() => isVisible(toastOf(page, 'Link copied'))).toBe(true);
    await page.clock.runFor(1);
    await toastOf(page, 'Link copied').waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.toast-viewport').count()).toBe(0);
  });

  it('stacks, each with its own timer', async () => {
    const page = frozen();
    await page.getByRole('button', { name: 'Show a long one' }).click();
    await page.getByRole('button', { name: 'Show a toast' }).click();
    await page.getByRole('button', { name: 'Show a problem' }).click();
    await toastOf(page, 'That did not work').waitFor();
    await expect.poll(() => page.locator('.toast').count()).toBe(3);
    await page.clock.runFor(2000);
    await toastOf(page, 'That did not work').waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.toast').count()).toBe(1);
    await page.clock.runFor(2999);
    await expect.poll(() => page.locator('.toast').count()).toBe(1);
    await page.clock.runFor(1);
    await page.locator('.toast').waitFor({ state: 'detached' });
  });

  it('pauses its timer while hovered', async () => {
    const page = frozen();
    await page.getByRole('button', { name: 'Show a toast' }).click();
    await toastOf(page, 'Link copied').hover();
    await page.clock.runFor(10_000);
    await expect.poll(() => isVisible(toastOf(page, 'Link copied'))).toBe(true);
    await page.mouse.move(1, 1);
    await page.clock.runFor(1999);
    await expect.poll(() => isVisible(toastOf(page, 'Link copied'))).toBe(true);
    await page.clock.runFor(1);
    await toastOf(page, 'Link copied').waitFor({ state: 'detached' });
  });

  it('is announced politely', async () => {
    const page = frozen();
    await page.getByRole('button', { name: 'Show a toast' }).click();
    await toastOf(page, 'Link copied').waitFor();
    await page.clock.runFor(100);
    await page.locator('[role=status][aria-live=polite]').getByText('Link copied').waitFor({ state: 'attached' });
  });

  itWithAndWithoutJavaScript(
    'from the previous page is dismissed with JavaScript and stays without',
    { short: 'with' },
    async (javaScriptEnabled) => {
      const { page, expectNoErrors, close } = await openGallery(ENGLISH, { javaScriptEnabled });
      await page.getByRole('button', { name: 'Send and leave a message' }).click();
      const said = javaScriptEnabled ? page.locator('.toast') : page.getByRole('main').getByRole('status').first();
      await said.getByText('Left by the page before').waitFor();
      if (!javaScriptEnabled) {
        await page.reload();
        await expect.poll(() => page.getByText('Left by the page before').count()).toBe(0);
      }
      expectNoErrors();
      await close();
    },
  );
});
