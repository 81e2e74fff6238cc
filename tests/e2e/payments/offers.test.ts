import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { itInLongRun, itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { openMember } from '../../support/members.ts';
import { answer, choosePlan, payWith } from '../../support/payments/checkout.ts';
import { declineKey } from '../../support/payments/purchases.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const isLive = (page: Page) => page.locator('html[data-live]').waitFor();
const GERMANY = { 'x-sandbox-country': 'DE' };

async function goBack(page: Page): Promise<void> {
  await page.waitForURL('**/api/sandbox/pages/checkout?*');
  await page.getByRole('button', { name: 'Go back without a card' }).click();
}

describe('offers', () => {
  itWithAndWithoutJavaScript(
    'prices are in the currency of the country until another one is chosen',
    { short: 'with' },
    async (javaScriptEnabled) => {
      const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
        javaScriptEnabled,
        extraHTTPHeaders: GERMANY,
      });
      await page.goto('/');
      await page.getByText('from 9,99€ a week').waitFor();
      await page.goto('/upgrade?period=monthly');
      await page.getByText('25,99€', { exact: true }).waitFor();
      await page.getByRole('button', { name: '$ USD' }).click();
      await page.getByText('$25.99', { exact: true }).waitFor();
      // The period stays, and other pages agree.
      await expect.poll(() => new URL(page.url()).search).toBe('?period=monthly');
      await expect.poll(() => page.getByRole('button', { name: '$ USD' }).getAttribute('aria-pressed')).toBe('true');
      await page.goto('/');
      await page.getByText('from $9.99 a week').waitFor();
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript('the language changes no price', { short: 'neither' }, async (javaScriptEnabled) => {
    const { page, close } = await openPage(browser(), product.url, { javaScriptEnabled, locale: 'de' });
    await page.goto('/upgrade?period=monthly');
    await page.getByText('$25.99', { exact: true }).waitFor();
    await close();
  });

  itWithAndWithoutJavaScript(
    'shows the allowance of the selected period',
    { short: 'neither' },
    async (javaScriptEnabled) => {
      const { page, close } = await openPage(browser(), product.url, { javaScriptEnabled });
      for (const [period, allowance] of [
        ['weekly', '20 photos a week'],
        ['monthly', '80 photos every 4 weeks'],
        ['yearly', '1,040 photos every 52 weeks'],
      ]) {
        await page.goto(`/upgrade?period=${period}`);
        await expect.poll(() => page.getByText(/^[\d,]+ photos /).allTextContents()).toEqual([allowance]);
      }
      await close();
    },
  );

  itWithAndWithoutJavaScript(
    'shows no error after a cancelled payment and keeps the choice',
    { short: 'with' },
    async (javaScriptEnabled) => {
      const { page, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
      await choosePlan(page, 'Personal', { trial: true });
      const checkout = page.url();
      const reminder = page.getByRole('switch', { name: text('tiers:checkout.reminder') });
      await reminder.uncheck();
      await page.getByRole('button', { name: 'Start free trial', exact: true }).click();
      await goBack(page);
      await page.getByRole('status').filter({ hasText: 'Nothing was charged.' }).waitFor();
      await expect.poll(() => page.getByRole('alert').count()).toBe(0);
      await page.getByRole('button', { name: 'Start free trial', exact: true }).waitFor();
      await expect
        .poll(() => new URL(page.url()).searchParams.get('priceId'))
        .toBe(new URL(checkout).searchParams.get('priceId'));
      await expect.poll(() => reminder.isChecked()).toBe(false);

      await page.getByRole('button', { name: 'Start free trial with PayPal' }).click();
      await answer(page, 'decline');
      await page.getByRole('status').filter({ hasText: 'Nothing was charged.' }).waitFor();
      await expect.poll(() => page.getByRole('alert').count()).toBe(0);
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript(
    'links business plans to the business terms',
    { short: 'neither' },
    async (javaScriptEnabled) => {
      const { page, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
      await choosePlan(page, 'Business', { trial: true });
      const links = page.getByRole('main').locator('a[href^="/terms"]');
      await expect
        .poll(() => links.evaluateAll((all) => all.map((link) => link.getAttribute('href'))))
        .toEqual(['/terms', '/terms#business', '/terms#tax']);
      await links.nth(1).click();
      await page.waitForURL('**/terms#business');
      await page.locator('section#business').getByRole('heading', { name: 'Terms for businesses' }).waitFor();
      await page.locator('section#tax').getByRole('heading', { name: 'Taxes for businesses' }).waitFor();
      expectNoErrors();
      await close();
    },
  );
});

it('links to the contact form in a blocked country', async () => {
  const { page, close } = await openPage(browser(), product.url, { javaScriptEnabled: false });
  await page.goto('/unavailable');
  const contact = page.getByRole('main').getByRole('link', { name: 'Contact us' });
  await expect.poll(() => contact.getAttribute('href')).toBe('/help/contact?source=country');
  await close();
});

itInLongRun('confirms a subscription 2400 ms after the purchase, for 2 s, and no longer offers it', async () => {
  const { page, expectNoErrors, close } = await openMember(browser(), product.url);
  await choosePlan(page, 'Business', { trial: true });
  await page.getByRole('button', { name: 'Start free trial', exact: true }).click();
  await page.waitForURL('**/api/sandbox/pages/checkout?*');
  await page.clock.install({ time: '2030-01-01T00:00:00Z' });
  await page.clock.pauseAt('2030-01-01T01:00:00Z');
  await payWith(page, 'good');
  await page.waitForURL('**/welcome');
  await isLive(page);
  const toast = page.locator('.toast').filter({ hasText: 'Your plan is active' });
  await page.clock.runFor(2399);
  await expect.poll(() => toast.count()).toBe(0);
  await page.clock.runFor(1);
  await toast.waitFor();
  await page.clock.runFor(1999);
  await expect.poll(() => toast.count()).toBe(1);
  await page.clock.runFor(1);
  await toast.waitFor({ state: 'detached' });
  await page.clock.resume();
  await declineKey(page);
  // Once only.
  await page.reload();
  await isLive(page);
  await page.clock.runFor(5000);
  await expect.poll(() => toast.count()).toBe(0);

  // Unlimited downloads need no packs, and Business contains Personal. The currency stays.
  await page.goto('/upgrade');
  await page.getByRole('heading', { level: 1, name: text('tiers:paywall.yours') }).waitFor();
  const main = page.getByRole('main');
  await expect.poll(() => main.getByRole('link', { name: /^(Buy|Choose|Try|Upgrade)/ }).count()).toBe(0);
  await expect.poll(() => main.getByRole('heading', { name: 'Just a few photos?' }).count()).toBe(0);
  await expect.poll(() => main.getByRole('button', { name: '€ EUR' }).count()).toBe(0);
  expectNoErrors();
  await close();
});

itInLongRun('tracks each click on an account tab once, by mouse, touch and keyboard', async () => {
  const { page, close } = await openMember(browser(), product.url, { hasTouch: true });
  await page.goto('/');
  await isLive(page);
  await page.locator('header').getByRole('link', { name: 'account' }).click();
  const dialog = page.getByRole('dialog');
  const tab = (name: string) => dialog.getByRole('tab', { name });
  const shows = (name: string) => dialog.getByRole('heading', { name, exact: true }).waitFor();
  const tapped = () =>
    page.evaluate(() =>
      ((window as unknown as { dataLayer?: { event: string; action: string }[] }).dataLayer ?? [])
        .filter(({ event }) => event === 'settings')
        .map(({ action }) => action),
    );
  await shows('General');
  await tab('Subscription').click();
  await shows('Subscription');
  await expect.poll(() => tapped()).toEqual(['subscription_tapped']);
  await tab('General').tap();
  await shows('General');
  await expect.poll(() => tapped()).toEqual(['subscription_tapped', 'general_tapped']);
  await tab('General').focus();
  await page.keyboard.press('ArrowDown');
  await shows('Subscription');
  await expect.poll(() => tapped()).toEqual(['subscription_tapped', 'general_tapped', 'subscription_tapped']);
  await close();
});
