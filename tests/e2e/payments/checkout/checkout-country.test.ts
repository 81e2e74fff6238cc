import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, useBrowser } from '../../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript } from '../../../support/browser/javascript.ts';
import { openMember } from '../../../support/members.ts';
import { openCheckout } from '../../../support/payments/checkout.ts';
import { subscribe } from '../../../support/payments/purchases.ts';
import { blurredFace } from '../../../support/portrait.ts';
import { sharedProduct } from '../../../support/product/shared-product.ts';
import { untilHydrated } from '../../../support/sign-in.ts';
import { text } from '../../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

/** Sets the visitor's country for later requests. */
const travel = (page: Page, country: 'DE' | 'KP' | 'IR') => page.setExtraHTTPHeaders({ 'x-sandbox-country': country });

async function expectUnavailable(page: Page): Promise<void> {
  await page.waitForURL('**/unavailable');
  await page.getByText(text('tiers:unavailable.body')).waitFor();
}

describe('in a blocked country', () => {
  itWithAndWithoutJavaScript(
    'offers no purchase and opens no checkout',
    { short: 'without' },
    async (javaScriptEnabled) => {
      const { page, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
      await travel(page, 'KP');
      await page.goto('/upgrade');
      await page.getByText(text('tiers:unavailable.body')).waitFor();
      await expect.poll(() => page.getByRole('link', { name: /^(Buy|Choose|Try|Upgrade to)/ }).count()).toBe(0);
      for (const address of ['/checkout', '/upgrade/confirm']) {
        await page.goto(`${address}?priceId=sbx_price_personal_weekly_usd`);
        await expectUnavailable(page);
      }
      expectNoErrors();
      await close();
    },
  );

  for (const [method, button] of [
    ['card', 'Pay $9.99'],
    ['wallet', 'Pay with PayPal'],
  ] as const)
    itWithAndWithoutJavaScript(
      `nothing is charged by ${method}, also from a page that was open before`,
      { short: method === 'card' ? 'with' : 'neither' },
      async (javaScriptEnabled) => {
        const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, {
          javaScriptEnabled,
        });
        await openCheckout(page, 'personal_weekly', { javaScriptEnabled });
        await travel(page, 'KP');
        await page.getByRole('button', { name: button }).click();
        await expectUnavailable(page);
        expect((await account.me()).monetization).toMatchObject({ isSubscribed: false, openSubscription: null });
        expectNoErrors();
        await close();
      },
    );

  itWithAndWithoutJavaScript('no plan is upgraded', { short: 'without' }, async (javaScriptEnabled) => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
    await subscribe(account, 'personal');
    await page.goto('/upgrade/confirm?priceId=sbx_price_business_weekly_usd');
    await page.getByRole('button', { name: 'Upgrade now' }).waitFor();
    const { priceId } = (await account.me()).monetization;
    await travel(page, 'KP');
    await page.getByRole('button', { name: 'Upgrade now' }).click();
    await expectUnavailable(page);
    expect((await account.me()).monetization.priceId).toBe(priceId);
    expectNoErrors();
    await close();
  });
});

describe('in a country without service', () => {
  const title = text('tiers:unavailable.service.title');

  itWithAndWithoutJavaScript(
    'pages that begin something show why, and rights remain',
    { short: 'without' },
    async (javaScriptEnabled) => {
      const { page, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
      await travel(page, 'IR');
      for (const address of ['/', '/pricing', '/upgrade', '/onboarding']) {
        await page.goto(`${address}?v=b`);
        await expect
          .poll(() => new URL(page.url()).pathname + new URL(page.url()).search)
          .toBe('/unavailable/service?v=b');
        await page.getByRole('heading', { level: 1, name: title }).waitFor();
      }
      if (javaScriptEnabled) await untilHydrated(page);
      await page
        .getByRole('main')
        .getByRole('link', { name: text('footer:cancel') })
        .click();
      await page.waitForURL('**/subscription/cancel?v=b');
      await page.goto('/account/general/privacy');
      await expect.poll(() => new URL(page.url()).pathname).toBe('/account/general/privacy');
      await page.goto('/help/contact');
      await expect.poll(() => new URL(page.url()).pathname).toBe('/help/contact');
      // A link within the page leads there too.
      await page.getByRole('link', { name: text('header:home') }).click();
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      expectNoErrors();
      await close();
    },
  );

  it('a page that was open before can’t upload', async () => {
    const { page, close } = await openPage(browser(), product.url, { expectedStatus: 403 });
    await page.goto('/');
    await untilHydrated(page);
    await travel(page, 'IR');
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'face.jpg', mimeType: 'image/jpeg', buffer: await blurredFace(120) });
    await page.getByText(text('common:errors.service.country_blocked')).waitFor();
    await close();
  });
});
