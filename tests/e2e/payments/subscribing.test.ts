import { subscriptionRoutes } from '@clearframe/contract';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { bytesOf, openPage, useBrowser } from '../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { holdScripts } from '../../support/browser/network.ts';
import { openMember } from '../../support/members.ts';
import {
  answer,
  choosePlan,
  enhancePicture,
  openCheckout,
  payWith,
  withoutTrial,
} from '../../support/payments/checkout.ts';
import { buyDownloads, declineKey, subscribe } from '../../support/payments/purchases.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const openNewMember = (options: Parameters<typeof openMember>[2] = {}) => openMember(browser(), product.url, options);
const pathOfPage = (page: Page): string => new URL(page.url()).pathname;

describe('subscriptions', () => {
  itWithAndWithoutJavaScript(
    'a member starts a free trial, cancels it in two clicks and resumes it',
    { short: 'with' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openNewMember({ javaScriptEnabled });
      await choosePlan(page, 'Personal', { trial: true });
      await page.getByText('Free until').waitFor();
      await page.getByRole('button', { name: 'Start free trial', exact: true }).click();
      await payWith(page, 'good');
      await page.waitForURL('**/welcome');
      await page.getByRole('heading', { level: 1, name: text('account:welcome.trialTitle') }).waitFor();
      await page.getByText(/Free until .+, then \$9\.99 a week/).waitFor();
      const [calendar] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: text('account:welcome.calendar') }).click(),
      ]);
      expect(calendar.suggestedFilename()).toBe('clearframe.ics');
      const provider = { params: { provider: 'stripe' }, query: {} } as const;
      const { trialEnd } = await account.call(subscriptionRoutes.getSubscription, provider);
      const lines = (await bytesOf(calendar)).toString().split('\r\n');
      expect(lines).toContain(`DTSTART;VALUE=DATE:${trialEnd?.slice(0, 10).replaceAll('-', '')}`);
      expect(lines).toContain('SUMMARY:Clearframe Personal: $9.99 is charged');
      await page.getByRole('link', { name: text('account:welcome.enhance') }).waitFor();
      await page.getByRole('link', { name: text('account:welcome.account') }).click();
      await page.waitForURL('**/account/subscription');
      await page.getByText(text('account:subscription.trial')).waitFor();
      await page.getByText(/Next charge: \$9\.99 on/).waitFor();
      expect((await account.me()).monetization).toMatchObject({ isSubscribed: true, trialAvailable: false });

      await page.getByRole('link', { name: 'Cancel subscription' }).click();
      await page.getByRole('button', { name: 'Yes, cancel' }).click();
      await page.getByText('Canceled. You keep access until').waitFor();
      expect((await account.me()).monetization.isSubscribed).toBe(true);
      await page.getByRole('button', { name: text('account:subscription.restart') }).click();
      await page.getByText(/Next charge: \$9\.99 on/).waitFor();
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript(
    'reports a failed first payment and lets the member cancel',
    { short: 'neither' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openNewMember({ javaScriptEnabled });
      await openCheckout(page, 'personal_weekly', { javaScriptEnabled });
      await page.getByRole('button', { name: 'Pay $' }).click();
      await payWith(page, 'keptOnly');
      await page.getByRole('alert').getByText('Your card was declined').waitFor();
      expect((await account.me()).monetization).toMatchObject({ isSubscribed: false, hasIncompleteSubscription: true });
      await page.goto('/account/subscription');
      await page.getByRole('alert').getByText('Card declined').waitFor();
      await page.getByRole('link', { name: 'Cancel subscription' }).click();
      await page.getByRole('button', { name: 'Yes, cancel' }).click();
      await page.waitForURL('**/account/subscription');
      await expect.poll(async () => (await account.me()).monetization.hasIncompleteSubscription).toBe(false);
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript(
    'a member with downloads left agrees to lose them before subscribing',
    { short: 'neither' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openNewMember({ javaScriptEnabled, expectedStatus: 422 });
      await buyDownloads(account, 3);
      await page.goto('/upgrade');
      if (javaScriptEnabled) await untilHydrated(page);
      const choice = page.getByRole('link', { name: `${text('tiers:try')} Personal` });
      await choice.click();
      await page.getByRole('heading', { name: 'You still have downloads available' }).waitFor();
      // Dismissing it selects nothing.
      const dismissal = text('tiers:checkout.forfeit.dismiss');
      await page.getByRole(javaScriptEnabled ? 'button' : 'link', { name: dismissal }).click();
      await page.waitForURL('**/upgrade');
      await choice.click();
      await page.getByRole('link', { name: 'Yes, proceed' }).click();
      await page.getByRole('heading', { level: 1, name: 'Checkout' }).waitFor();
      await expect.poll(() => page.getByRole('checkbox', { name: 'Yes, proceed' }).isChecked()).toBe(true);
      await withoutTrial(page);
      await page.getByRole('checkbox', { name: 'Yes, proceed' }).uncheck();
      await page.getByRole('button', { name: 'Pay $' }).click();
      // The answer would undo a check before it.
      await page.locator('[aria-invalid=true]').waitFor();
      await expect.poll(() => pathOfPage(page)).toBe('/checkout');
      await page.getByRole('checkbox', { name: 'Yes, proceed' }).check();
      await page.getByRole('button', { name: 'Pay $' }).click();
      await payWith(page, 'good');
      await page.waitForURL('**/welcome');
      expect(await account.me()).toMatchObject({ availableCredits: 0, monetization: { isSubscribed: true } });
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript(
    'upgrades from Personal to Business with a prorated refund',
    { short: 'without' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openNewMember({ javaScriptEnabled });
      await subscribe(account, 'personal');
      await page.goto('/account/subscription');
      await page.getByRole('link', { name: 'Upgrade to Business' }).click();
      // The previous page has a link of the same name.
      await page.getByRole('heading', { level: 1, name: text('tiers:paywall.upgrade') }).waitFor();
      await page.getByRole('link', { name: 'Upgrade to Business' }).click();
      await page.getByText('We refund $9.99').waitFor();
      await page.getByRole('button', { name: 'Upgrade now' }).click();
      await page.waitForURL('**/account/subscription');
      await page.getByText('Every format').waitFor();
      expect((await account.me()).limits.exports).toBeNull();
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript(
    'a subscription by wallet can be cancelled but not resumed',
    { short: 'without' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openNewMember({ javaScriptEnabled });
      await choosePlan(page, 'Business');
      await page.getByRole('button', { name: 'Pay with PayPal' }).click();
      await answer(page, 'approve');
      await page.waitForURL('**/welcome');
      expect((await account.me()).monetization).toMatchObject({ subscriptionProvider: 'paypal', isSubscribed: true });
      if (javaScriptEnabled) await declineKey(page);
      await page.goto('/account/purchases');
      await page.getByText('$19.99').waitFor();
      await page.goto('/account/subscription');
      await page.getByText('Paid with PayPal').waitFor();
      await page.getByRole('link', { name: 'Cancel subscription' }).click();
      await page.getByRole('button', { name: 'Yes, cancel' }).click();
      await page.getByText('Canceled. You keep access until').waitFor();
      await expect.poll(() => page.getByRole('button', { name: text('account:subscription.restart') }).count()).toBe(0);
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript(
    'Business downloads are unlimited in any format, which other plans are offered',
    { short: 'neither' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openNewMember({ javaScriptEnabled });
      const formats = page.getByRole('button', { name: 'Other formats' });
      await enhancePicture(page);
      await formats.click();
      await page.getByRole('link', { name: /^TIFF/ }).click();
      await page.getByRole('heading', { name: text('tiers:offer.formats.title') }).waitFor();
      await page.getByRole('link', { name: `${text('tiers:try')} Business` }).waitFor();
      await subscribe(account, 'business');
      await enhancePicture(page);
      await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
      await formats.click();
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: /^TIFF/ }).click(),
      ]);
      expect(saved.suggestedFilename()).toBe('sea-clearframe.tif');
      expect((await bytesOf(saved)).subarray(0, 2).toString()).toMatch(/^(?:II|MM)$/);
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript('shows the prices of other periods', { short: 'neither' }, async (javaScriptEnabled) => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled });
    const release = await holdScripts(page);
    await page.goto('/upgrade', { waitUntil: 'commit' });
    await page.getByText('$9.99', { exact: true }).first().waitFor();
    // An account that logs in at checkout may be new.
    await page.getByRole('link', { name: `${text('tiers:try')} Personal` }).waitFor();
    await page.getByText('Save 35%').waitFor();
    await page.getByText('Yearly').click();
    // A choice before the scripts have loaded.
    release();
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('$260.99', { exact: true }).waitFor();
    expectNoErrors();
    await close();
  });
});

itWithAndWithoutJavaScript('charges the intro price of the address', { short: 'with' }, async (javaScriptEnabled) => {
  const { page, account, expectNoErrors, close } = await openNewMember({ javaScriptEnabled });
  await page.goto('/upgrade?version=ip');
  await page.getByText('$0.99 for the first week').first().waitFor();
  await page.getByRole('link', { name: 'Choose Personal' }).click();
  await page.getByText('$0.99', { exact: true }).first().waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Pay with PayPal' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Pay $' }).click();
  await payWith(page, 'good');
  await page.waitForURL('**/welcome');
  expect((await account.me()).monetization).toMatchObject({ isSubscribed: true, subscriptionWithIntroPrice: true });
  expectNoErrors();
  await close();
});
