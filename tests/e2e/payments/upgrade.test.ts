import { formatPrice, userExportRoutes } from '@clearframe/contract';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { ApiClient } from '../../support/api-client.ts';
import { useBrowser } from '../../support/browser/browser.ts';
import { describeInLongRun, itInLongRun, itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { openMember } from '../../support/members.ts';
import { answer, openCheckout } from '../../support/payments/checkout.ts';
import { subscribe } from '../../support/payments/purchases.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

/** The refund that the page names. */
async function previewed(page: Page): Promise<string> {
  const sentence = await page.getByText(/^We refund/).textContent();
  const [, price] = /We refund (\S+) for/.exec(sentence ?? '') ?? [];
  if (!price) throw new Error(`no refund in: ${sentence}`);
  return price;
}

/** Refunds of the account's changes of plan, formatted; null until the provider has made one. */
const refunded = async (account: ApiClient): Promise<(string | null)[]> => {
  const { upgrades } = await account.call(userExportRoutes.exportCurrentUser, {});
  return upgrades.map(({ refundedCents }) => (refundedCents === null ? null : formatPrice(refundedCents, 'usd')));
};

describe('the refund of an upgrade is the previewed one', () => {
  itWithAndWithoutJavaScript('by card', { short: 'with' }, async (javaScriptEnabled) => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
    await subscribe(account, 'personal');
    await page.goto('/upgrade/confirm?priceId=sbx_price_business_weekly_usd');
    const shown = await previewed(page);
    await page.getByRole('button', { name: text('tiers:upgradePage.confirm') }).click();
    await page.waitForURL('**/account/subscription');
    await expect.poll(() => refunded(account)).toEqual([shown]);
    expect((await account.me()).role).toBe('business');
    expectNoErrors();
    await close();
  });

  itWithAndWithoutJavaScript('by wallet', { short: 'neither' }, async (javaScriptEnabled) => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
    await openCheckout(page, 'personal_weekly', { javaScriptEnabled });
    await page.getByRole('button', { name: text('tiers:checkout.wallet') }).click();
    await answer(page, 'approve');
    await page.waitForURL('**/welcome');
    await page.goto('/upgrade/confirm?priceId=sbx_price_business_weekly_usd');
    const shown = await previewed(page);
    await page.getByRole('button', { name: text('tiers:upgradePage.confirm') }).click();
    await answer(page, 'approve');
    await page.waitForURL('**/account/subscription');
    await expect.poll(() => refunded(account)).toEqual([shown]);
    expect((await account.me()).role).toBe('business');
    expectNoErrors();
    await close();
  });
});

itWithAndWithoutJavaScript(
  'another billing period is chosen from the account, with the refund previewed',
  { short: 'without' },
  async (javaScriptEnabled) => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
    await subscribe(account, 'personal');
    await page.goto('/account/subscription');
    await page.getByRole('link', { name: text('account:subscription.changePeriod') }).click();
    await page.waitForURL('**/upgrade');
    await page.getByText(text('tiers:period.monthly'), { exact: true }).click();
    if (!javaScriptEnabled) await page.getByRole('button', { name: text('tiers:period.show') }).click();
    await page.getByRole('link', { name: text('tiers:changePeriod.monthly') }).click();
    await page.getByRole('heading', { level: 1, name: text('tiers:periodPage.title') }).waitFor();
    const shown = await previewed(page);
    await page.getByRole('button', { name: text('tiers:periodPage.confirm') }).click();
    await page.waitForURL('**/account/subscription');
    // With JavaScript a toast, gone after 2 s.
    if (!javaScriptEnabled) await page.getByText(text('account:periodChanged.monthly')).waitFor();
    await page.getByText(/Next charge: \$25\.99 on/).waitFor();
    await expect.poll(() => refunded(account)).toEqual([shown]);
    expectNoErrors();
    await close();
  },
);

describeInLongRun('the plans page of a business member', () => {
  itInLongRun('shows the plan, its other periods with their savings, and leads to the subscription', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    await subscribe(account, 'business');
    await page.goto('/upgrade');
    await page.getByRole('heading', { level: 1, name: text('tiers:paywall.yours') }).waitFor();
    await page.getByText('Save 50%').waitFor();
    for (const period of ['monthly', 'yearly'] as const)
      await page.getByRole('link', { name: text(`tiers:changePeriod.${period}`) }).waitFor();
    await page.getByRole('link', { name: text('tiers:paywall.manage') }).click();
    await page.waitForURL('**/account/subscription');
    expectNoErrors();
    await close();
  });
});
