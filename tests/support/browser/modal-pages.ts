import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { sharedProduct } from '../product/shared-product.ts';
import { openPage, useBrowser } from './browser.ts';

export const dialog = (page: Page) => page.getByRole('dialog');
export const opener = (page: Page, id: string) => page.getByRole('button', { name: `open('${id}')`, exact: true });
/** History navigation is asynchronous. */
export const expectPath = (page: Page, path: string) => expect.poll(() => new URL(page.url()).pathname).toBe(path);

export function useModalPages() {
  const product = sharedProduct();
  const browser = useBrowser();
  const visit = (options?: Parameters<typeof openPage>[2]) =>
    openPage(browser(), product.url, { reducedMotion: 'no-preference', ...options });
  return {
    product,
    visit,
    openGallery: async (options?: Parameters<typeof openPage>[2]) => {
      const watched = await visit(options);
      await watched.page.goto('/ui/modals');
      await watched.page.waitForSelector('html[data-live]');
      return watched;
    },
  };
}
