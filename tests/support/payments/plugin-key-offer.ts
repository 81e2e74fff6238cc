import type { Page } from 'playwright-core';
import { text } from '../texts.ts';

/** Closes the offer of a key, which follows a purchase of Business and covers the account. */
export async function declineKey(page: Page): Promise<void> {
  const offer = page.getByRole('dialog', { name: text('account:pluginKey.offer.title') });
  await offer.getByRole('button', { name: text('account:pluginKey.offer.later'), exact: true }).click();
  await offer.waitFor({ state: 'detached' });
  await page.waitForURL(({ pathname }) => pathname !== '/account/plugin-key/offer');
}
