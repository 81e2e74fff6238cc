import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { sharedProduct } from '../product/shared-product.ts';
import { openPage, useBrowser, type WatchedPage } from './browser.ts';

export const ENGLISH = '/ui?theme=light&dir=ltr';
export const ARABIC = '/ui?theme=dark&dir=rtl';

export function useGallery() {
  const product = sharedProduct();
  const browser = useBrowser();
  const open = (options: BrowserContextOptions) =>
    openPage(browser(), product.url, { reducedMotion: 'reduce', ...options });

  return {
    openGallery: async (address = ENGLISH, options: BrowserContextOptions = {}) => {
      const watched = await open(options);
      await watched.page.goto(address);
      if (options.javaScriptEnabled !== false) await watched.page.locator('html[data-live]').waitFor();
      return watched;
    },
    /** Opens the gallery with a paused clock, which `page.clock.runFor` advances. */
    openFrozenGallery: async (address = ENGLISH, options: BrowserContextOptions = {}) => {
      const watched = await open(options);
      await watched.page.clock.install({ time: '2030-01-01T00:00:00Z' });
      await watched.page.goto(address);
      await watched.page.locator('html[data-live]').waitFor();
      await watched.page.clock.pauseAt('2030-01-01T01:00:00Z');
      return watched;
    },
  };
}

/** One page for all tests of a `describe`, which restore its state: opening one costs a second of processor time. */
export function usePage(open: () => Promise<WatchedPage>): () => Page {
  let watched: WatchedPage;
  beforeAll(async () => {
    watched = await open();
  });
  afterEach(() => watched.expectNoErrors());
  afterAll(() => watched?.close());
  return () => watched.page;
}
