import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { openPage, useBrowser } from '../../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript } from '../../../support/browser/javascript.ts';
import { openMember, signIn } from '../../../support/members.ts';
import { answer, enhancePicture, openCheckout, payWith } from '../../../support/payments/checkout.ts';
import { sharedProduct } from '../../../support/product/shared-product.ts';
import { newEmail } from '../../../support/sign-in.ts';
import { text } from '../../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

/** Approves like the wallet's button, and closes the tab. @returns the tab's next URL */
async function approveWithoutReturn(page: Page): Promise<string> {
  await page.waitForURL('**/api/sandbox/pages/wallet/**');
  const { origin, pathname, searchParams } = new URL(page.url());
  const form = { ...Object.fromEntries(searchParams), action: 'approve' };
  const approved = await page.request.post(`${origin}${pathname}`, { form, maxRedirects: 0 });
  expect(approved.status()).toBe(303);
  return approved.headers().location ?? '';
}

describe('recovery of payments', () => {
  itWithAndWithoutJavaScript(
    'a declined subscription is paid with another card',
    { short: 'with' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
      await openCheckout(page, 'personal_weekly', { javaScriptEnabled });
      await page.getByRole('button', { name: 'Pay $' }).click();
      await payWith(page, 'keptOnly');
      await page.getByRole('alert').getByText('Try another card').waitFor();

      // From the checkout, which repeats the offer.
      await page.getByText('$9.99', { exact: true }).first().waitFor();
      await page.getByRole('button', { name: 'Pay $' }).click();
      await payWith(page, 'keptOnly');
      await page.getByRole('alert').getByText('Try another card').waitFor();
      expect((await account.me()).monetization).toMatchObject({ isSubscribed: false, hasIncompleteSubscription: true });

      // From the account, by a card with 3-D Secure.
      await page.goto('/account/subscription');
      await page.getByRole('alert').getByText('Use another card within 23 hours').waitFor();
      await page.getByRole('link', { name: 'Pay with another card' }).click();
      await page.getByRole('heading', { level: 1, name: 'Checkout' }).waitFor();
      await page.getByRole('button', { name: 'Pay $' }).click();
      await payWith(page, 'bank');
      await answer(page, 'approve');
      await page.waitForURL('**/welcome');
      await page.goto('/account/subscription');
      await page.getByText(/Next charge: \$9\.99 on/).waitFor();
      expect((await account.me()).monetization).toMatchObject({ isSubscribed: true, hasIncompleteSubscription: false });

      // The mailed URL redirects elsewhere once everything is paid.
      await page.goto('/subscription/pay');
      await page.waitForURL('**/account/subscription');
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript(
    'adopts a subscription approved in the wallet whose return was lost',
    { short: 'neither' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
      await openCheckout(page, 'personal_weekly', { javaScriptEnabled });
      await page.getByRole('button', { name: 'Pay with PayPal' }).click();
      const returnUrl = await approveWithoutReturn(page);
      await expect.poll(async () => (await account.me()).monetization.isSubscribed).toBe(true);
      await page.goto('/account/subscription');
      await page.getByText('Paid with PayPal').waitFor();
      // Opens the tab's URL.
      await page.goto(returnUrl);
      await page.waitForURL('**/welcome');
      await page.goto('/account/subscription');
      await page.getByText('Paid with PayPal').waitFor();
      expect((await account.me()).monetization).toMatchObject({ isSubscribed: true, subscriptionProvider: 'paypal' });
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript(
    'a download approved by a guest survives logging in before the return',
    { short: 'neither' },
    async (javaScriptEnabled) => {
      const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled });
      await enhancePicture(page);
      await page.getByRole('link', { name: text('result:pay', { price: '$4.99' }) }).click();
      await page.getByRole('button', { name: 'Pay with PayPal' }).click();
      const returnUrl = await approveWithoutReturn(page);
      await signIn(page, product.url, newEmail());
      await page.goto(returnUrl);
      await page.waitForURL(/\/result\?taskId=/);
      await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
      await expect.poll(() => page.getByText('has a watermark').count()).toBe(0);
      expectNoErrors();
      await close();
    },
  );
});
