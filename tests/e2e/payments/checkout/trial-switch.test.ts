import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript } from '../../../support/browser/javascript.ts';
import { isFormPost } from '../../../support/browser/network.ts';
import { openMember } from '../../../support/members.ts';
import { payWith } from '../../../support/payments/checkout.ts';
import { sharedProduct } from '../../../support/product/shared-product.ts';
import { untilHydrated } from '../../../support/sign-in.ts';
import { text } from '../../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const CHECKOUT = '/checkout?priceId=sbx_price_personal_weekly_usd';
const trialSwitch = (page: Page) => page.getByRole('switch', { name: text('tiers:checkout.trial') });
const button = (page: Page, label: 'card' | 'cardTrial' | 'wallet' | 'walletTrial') =>
  page.getByRole('button', { name: text(`tiers:checkout.${label}`, { price: '$9.99' }), exact: true });
const isTrialIn = (url: URL): boolean => url.searchParams.get('freeTrialEnabled') === 'true';

describe('the switch of the trial', () => {
  itWithAndWithoutJavaScript(
    'a payment right after it shows the chosen order, and charges nothing before that was seen',
    { short: 'with' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
      await page.goto(`${CHECKOUT}&freeTrialEnabled=true`);
      if (javaScriptEnabled) await untilHydrated(page);
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
      // The new order arrives after the payment.
      if (javaScriptEnabled) {
        await page.route(
          (url) => url.pathname.startsWith('/checkout') && !isTrialIn(url),
          async (route) => {
            await answered;
            // The payment has aborted it.
            await route.continue().catch(() => undefined);
          },
          { times: 1 },
        );
      }
      await trialSwitch(page).uncheck();
      const sent = page.waitForRequest(isFormPost);
      await button(page, 'cardTrial').click();
      expect(new URLSearchParams((await sent).postData() ?? '').get('trialShown')).toBe('true');
      answer();
      await button(page, 'card').waitFor();
      await expect.poll(() => isTrialIn(new URL(page.url()))).toBe(false);
      await expect.poll(() => new URL(page.url()).pathname).toBe('/checkout');
      await page.getByText('$9.99', { exact: true }).first().waitFor();
      expect((await account.me()).monetization).toMatchObject({ isSubscribed: false, openSubscription: null });

      await button(page, 'card').click();
      await payWith(page, 'good');
      await page.waitForURL('**/welcome');
      expect((await account.me()).monetization).toMatchObject({ isSubscribed: true, trialAvailable: true });
      expectNoErrors();
      await close();
    },
  );

  it('is turned on again by Update, without JavaScript', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, {
      javaScriptEnabled: false,
    });
    await page.goto(`${CHECKOUT}&version=ft`);
    await trialSwitch(page).check();
    await page.getByRole('button', { name: text('tiers:checkout.update') }).click();
    await page.waitForURL(isTrialIn);
    await expect.poll(() => new URL(page.url()).searchParams.get('version')).toBe('ft');
    await page.getByText('$0.00', { exact: true }).first().waitFor();
    await button(page, 'walletTrial').waitFor();
    expect((await account.me()).monetization.openSubscription).toBeNull();
    expectNoErrors();
    await close();
  });
});
