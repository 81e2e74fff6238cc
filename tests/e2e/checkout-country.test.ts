import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { choosePlan, payWith } from '../support/paying.ts';
import { sharedProduct } from '../support/shared-product.ts';
import { openMember } from '../support/signed-in.ts';

const product = sharedProduct();
const browser = useBrowser();

/** The visitor is in another country from the next request on. */
const travel = (page: Page, country: 'DE' | 'KP') => page.setExtraHTTPHeaders({ 'x-sandbox-country': country });

async function expectUnavailable(page: Page): Promise<void> {
  await page.waitForURL('**/unavailable');
  await page.getByText('Web subscriptions and payments are not available').waitFor();
}

describe.each([true, false])('in a blocked country (JavaScript: %s)', (javaScriptEnabled) => {
  it('no button leads to a purchase, and no checkout opens', async () => {
    const { page, expectQuiet, close } = await openMember(browser(), product.url, { javaScriptEnabled });
    await travel(page, 'KP');
    await page.goto('/upgrade');
    await page.getByText('Web subscriptions and payments are not available').waitFor();
    expect(await page.getByRole('link', { name: /^(Buy|Choose|Try|Upgrade to)/ }).count()).toBe(0);
    for (const address of ['/checkout', '/upgrade/confirm']) {
      await page.goto(`${address}?priceId=sbx_price_personal_weekly_usd`);
      await expectUnavailable(page);
    }
    expectQuiet();
    await close();
  });

  it.each([
    ['card', 'Pay by card'],
    ['wallet', 'Pay with PayPal'],
  ])('nothing is charged by %s, also from a page that was open before', async (_how, button) => {
    const { page, account, expectQuiet, close } = await openMember(browser(), product.url, { javaScriptEnabled });
    await choosePlan(page, 'Personal');
    await travel(page, 'KP');
    await page.getByRole('button', { name: button }).click();
    await expectUnavailable(page);
    expect((await account.me()).monetization).toMatchObject({ isSubscribed: false, openSubscription: null });
    expectQuiet();
    await close();
  });

  it('no plan is upgraded', async () => {
    const { page, account, expectQuiet, close } = await openMember(browser(), product.url, { javaScriptEnabled });
    await choosePlan(page, 'Personal');
    await page.getByRole('button', { name: 'Pay by card' }).click();
    await payWith(page, 'good');
    await page.waitForURL('**/account/subscription');
    await page.goto('/upgrade/confirm?priceId=sbx_price_business_weekly_usd');
    await page.getByRole('button', { name: 'Upgrade now' }).waitFor();
    const { priceId } = (await account.me()).monetization;
    await travel(page, 'KP');
    await page.getByRole('button', { name: 'Upgrade now' }).click();
    await expectUnavailable(page);
    expect((await account.me()).monetization.priceId).toBe(priceId);
    expectQuiet();
    await close();
  });
});
