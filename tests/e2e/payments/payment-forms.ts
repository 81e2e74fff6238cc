import type { Browser, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { APPEARANCES, expectAccessible } from '../../support/browser/accessibility.ts';
import { openMember } from '../../support/members.ts';
import { answer, CARDS, type CardName, openCheckout } from '../../support/payments/checkout.ts';
import type { Product } from '../../support/product/product.ts';
import { text } from '../../support/texts.ts';

/** The providers' forms in the checkout; the shared product has none. */
export function testPaymentForms(product: () => Product, browser: () => Browser): void {
  const payButton = (page: Page) => page.getByRole('button', { name: 'Pay $' });
  const walletButton = (page: Page) => page.getByRole('button', { name: 'PayPal', exact: true });
  const approval = (page: Page) => page.getByRole('dialog', { name: 'PayPal' });
  const approvalButton = (page: Page, name: 'Approve' | 'Cancel') => approval(page).getByRole('button', { name });

  async function enter(page: Page, card: CardName): Promise<void> {
    await page.getByLabel('Test card number').fill(CARDS[card]);
  }

  async function openPack(page: Page): Promise<void> {
    await page.goto('/upgrade');
    await page.getByRole('link', { name: 'Buy: 3 downloads' }).click();
    await walletButton(page).waitFor();
  }

  describe("the card provider's form in the checkout", () => {
    it('reports a declined card, accepts another one and charges once for a double click', async () => {
      const { page, account, expectNoErrors, close } = await openMember(browser(), product().url);
      await page.goto('/upgrade');
      await page.getByRole('link', { name: 'Buy: 3 downloads' }).click();
      await page.getByLabel('Test card number').waitFor();
      await expect.poll(() => payButton(page).isDisabled()).toBe(true);
      await expectAccessible(page, [320, 1280]);
      await enter(page, 'declined');
      await payButton(page).click();
      await page.getByRole('alert').getByText('Your card was declined.').waitFor();
      await expect.poll(() => new URL(page.url()).pathname).toBe('/checkout');
      expect((await account.me()).availableCredits).toBe(0);
      await enter(page, 'good');
      await payButton(page).dblclick();
      await page.waitForURL('**/account/limits');
      expect((await account.me()).availableCredits).toBe(3);
      expectNoErrors();
      await close();
    });

    it("leaves for the bank's confirmation and subscribes on the return", async () => {
      const { page, account, expectNoErrors, close } = await openMember(browser(), product().url);
      await openCheckout(page, 'personal_weekly');
      await page.goto(`${page.url()}&v=b`);
      for (const decision of ['decline', 'approve'] as const) {
        await enter(page, 'bank');
        await payButton(page).click();
        await answer(page, decision);
        if (decision === 'decline')
          await page.getByRole('alert').getByText(text('common:errors.payments.declined')).waitFor();
        await page.waitForURL(({ searchParams }) => searchParams.get('v') === 'b');
      }
      await page.waitForURL(({ pathname }) => pathname === '/welcome');
      expect((await account.me()).monetization.isSubscribed).toBe(true);
      expectNoErrors();
      await close();
    });

    it("leads to the provider's page without JavaScript, and when the script can't be loaded", async () => {
      for (const javaScriptEnabled of [false, true]) {
        const { page, close } = await openMember(browser(), product().url, { javaScriptEnabled });
        await page.route('**/api/sandbox/scripts/stripe.js', (route) => route.abort());
        await page.goto('/upgrade');
        await page.getByRole('link', { name: 'Buy: 3 downloads' }).click();
        await payButton(page).click();
        await page.waitForURL('**/api/sandbox/pages/checkout?*');
        await close();
      }
    });
  });

  describe("the wallet's buttons in the checkout", () => {
    it('charges nothing when the payer cancels, and once for double clicks', async () => {
      const { page, account, expectNoErrors, close } = await openMember(browser(), product().url);
      await openPack(page);
      await walletButton(page).click();
      await approvalButton(page, 'Cancel').click();
      await page.getByRole('status').getByText(text('tiers:checkout.canceled')).waitFor();
      await walletButton(page).click();
      await approval(page).waitFor();
      await page.keyboard.press('Escape');
      await approval(page).waitFor({ state: 'detached' });
      expect((await account.me()).availableCredits).toBe(0);
      await walletButton(page).dblclick();
      await approval(page).getByText('$9.99').waitFor();
      await approvalButton(page, 'Approve').dblclick();
      await page.waitForURL('**/account/limits');
      expect((await account.me()).availableCredits).toBe(3);
      expectNoErrors();
      await close();
    });

    it('subscribes to the plan that the server chose, with a trial where chosen', async () => {
      for (const trial of [false, true]) {
        const { page, account, expectNoErrors, close } = await openMember(browser(), product().url);
        await openCheckout(page, 'personal_weekly', { trial });
        await walletButton(page).click();
        await approval(page)
          .getByText(trial ? /after 7 days for free/ : /from today/)
          .waitFor();
        await approvalButton(page, 'Approve').click();
        await page.waitForURL('**/welcome');
        const { isSubscribed, subscriptionProvider, trialAvailable } = (await account.me()).monetization;
        expect({ isSubscribed, subscriptionProvider, trialAvailable }).toEqual({
          isSubscribed: true,
          subscriptionProvider: 'paypal',
          trialAvailable: !trial,
        });
        expectNoErrors();
        await close();
      }
    });

    it('reports a failure and leaves the order as it was', async () => {
      const { page, account, close } = await openMember(browser(), product().url);
      await openPack(page);
      await page.route('**/api/sandbox/paypal-sdk/**', (route) => route.abort());
      await walletButton(page).click();
      await page.getByRole('alert').getByText(text('tiers:checkout.problem.wallet')).waitFor();
      await page.unroute('**/api/sandbox/paypal-sdk/**');
      await walletButton(page).click();
      await approvalButton(page, 'Approve').click();
      await page.waitForURL('**/account/limits');
      expect((await account.me()).availableCredits).toBe(3);
      await close();
    });

    it('reports an approval without a subscription', async () => {
      const { page, account, close } = await openMember(browser(), product().url);
      const errors: string[] = [];
      page.on('pageerror', ({ message }) => errors.push(message));
      await page.route('**/api/sandbox/scripts/paypal.js*', async (route) => {
        const response = await route.fetch();
        await route.fulfill({
          response,
          body: (await response.text()).replace('subscriptionID: id', 'subscriptionID: null'),
        });
      });
      await openCheckout(page, 'personal_weekly');
      await walletButton(page).click();
      await approvalButton(page, 'Approve').click();
      await page.getByRole('alert').getByText(text('tiers:checkout.problem.wallet')).waitFor();
      await expect.poll(() => errors).toEqual(["PayPal's data.subscriptionID not set"]);
      // What was approved counts: a webhook brings it.
      await expect.poll(async () => (await account.me()).monetization.isSubscribed).toBe(true);
      await close();
    });

    it("leads to the approval page without JavaScript, and when the script can't be loaded", async () => {
      for (const javaScriptEnabled of [false, true]) {
        const { page, close } = await openMember(browser(), product().url, { javaScriptEnabled });
        await page.route('**/api/sandbox/scripts/paypal.js*', (route) => route.abort());
        await page.goto('/upgrade');
        await page.getByRole('link', { name: 'Buy: 3 downloads' }).click();
        await page.getByRole('button', { name: text('tiers:checkout.wallet') }).click();
        await page.waitForURL('**/api/sandbox/pages/wallet/charge?*');
        await close();
      }
    });

    it.each(APPEARANCES)('is accessible in $locale, $colorScheme', async (appearance) => {
      const { page, expectNoErrors, close } = await openMember(browser(), product().url, appearance);
      await page.goto('/checkout?priceId=sbx_price_personal_weekly_usd');
      await walletButton(page).waitFor();
      await page.locator('#sandbox-card').waitFor();
      await expectAccessible(page, [320, 390, 1280]);
      await walletButton(page).click();
      await approval(page).waitFor();
      await expectAccessible(page, [320, 1280]);
      expectNoErrors();
      await close();
    });
  });
}
