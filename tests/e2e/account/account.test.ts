import { userRoutes } from '@clearframe/contract';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../support/api-client.ts';
import { untilToast } from '../../support/browser/brief.ts';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { itInLongRun, itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { holdScripts } from '../../support/browser/network.ts';
import { openMember, signIn } from '../../support/members.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { until } from '../../support/product/until.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const isLive = (page: Page) => page.waitForSelector('html[data-live]');
const dialog = (page: Page) => page.getByRole('dialog');
const pathOfPage = (page: Page): string => new URL(page.url()).pathname;
const isFocused = (page: Page, role: 'tab' | 'link' | 'button', name: string) =>
  expect
    .poll(() => page.getByRole(role, { name }).evaluate((element) => element === document.activeElement))
    .toBe(true);

async function openDialog(page: Page): Promise<void> {
  await page.goto('/');
  await isLive(page);
  await page.locator('header').getByRole('link', { name: 'account' }).click();
  await dialog(page).getByRole('heading', { name: 'General' }).waitFor();
}

const events = (page: Page) =>
  page.evaluate(() => (window as unknown as { dataLayer?: { event: string }[] }).dataLayer ?? []);

describe('a guest', () => {
  itWithAndWithoutJavaScript('has settings and a login', { short: 'without' }, async (javaScriptEnabled) => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled });
    await page.goto('/account?v=b');
    await expect.poll(() => page.url()).toBe(`${product.url}/account/general?v=b`);
    await page.getByText(text('account:general.guest.title')).waitFor();
    const tabs = page.getByRole('navigation', { name: text('account:tabs') }).getByRole('link');
    await expect.poll(() => tabs.allTextContents()).toEqual(['General', 'Subscription']);
    await expect.poll(() => page.getByText(text('account:general.reminder.title')).count()).toBe(0);
    await tabs.getByText('Subscription').click();
    await page.getByRole('heading', { level: 1, name: 'Subscription' }).waitFor();
    await expect.poll(() => page.url()).toBe(`${product.url}/account/subscription?v=b`);
    await page.getByText('Results have a watermark').waitFor();
    await page.goto('/account/general');
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
    await page.waitForURL('**/login?**');
    expectNoErrors();
    await close();
  });

  it('is redirected from members’ tabs to the general tab', async () => {
    const { page, close } = await openPage(browser(), product.url, { expectedStatus: 404 });
    for (const path of ['/account/limits', '/account/plugin-key']) {
      await page.goto(`${path}?from=%2Fresult`);
      await expect.poll(() => page.url()).toBe(`${product.url}/account/general?from=%2Fresult`);
    }
    expect((await page.goto('/account/money'))?.status()).toBe(404);
    await close();
  });
});

describe('the account modal', () => {
  it('works by keyboard, tracks the opened tab and keeps the page below', async () => {
    const { page, email, expectNoErrors, close } = await openMember(browser(), product.url);
    await openDialog(page);
    await dialog(page).getByText(email).waitFor();
    await expect.poll(() => pathOfPage(page)).toBe('/account/general');
    await dialog(page).getByRole('tab', { name: 'General' }).focus();
    await page.keyboard.press('ArrowDown');
    await dialog(page).getByRole('heading', { name: 'Subscription' }).waitFor();
    await isFocused(page, 'tab', 'Subscription');
    await expect.poll(() => pathOfPage(page)).toBe('/account/subscription');
    await page.keyboard.press('ArrowUp');
    await dialog(page).getByRole('heading', { name: 'General' }).waitFor();
    await expect
      .poll(async () => (await events(page)).filter(({ event }) => event === 'settings'))
      .toEqual([
        expect.objectContaining({ action: 'subscription_tapped' }),
        expect.objectContaining({ action: 'general_tapped' }),
      ]);

    await dialog(page).getByRole('button', { name: 'Privacy settings' }).press('Enter');
    await dialog(page).getByRole('heading', { name: 'Privacy settings' }).waitFor();
    await isFocused(page, 'button', 'General');
    await expect.poll(() => pathOfPage(page)).toBe('/account/general/privacy');
    await page.keyboard.press('Enter');
    await isFocused(page, 'button', 'Privacy settings');

    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await expect.poll(() => pathOfPage(page)).toBe('/');
    expectNoErrors();
    await close();
  });

  itInLongRun('shows an error when the request fails, and can be retried', async () => {
    const { page, close } = await openMember(browser(), product.url);
    await page.goto('/');
    await isLive(page);
    await page.route('**/account/data', (route) => route.abort());
    await page.locator('header').getByRole('link', { name: 'account' }).click();
    await dialog(page).getByRole('alert').waitFor();
    await page.unroute('**/account/data');
    await dialog(page).getByRole('button', { name: 'Try again' }).click();
    await dialog(page).getByRole('heading', { name: 'General' }).waitFor();
    await close();
  });

  itInLongRun('an expired session leads to the login and back', async () => {
    const { page, email, account, close } = await openMember(browser(), product.url, { expectedStatus: 401 });
    await page.goto('/');
    await isLive(page);
    await account.call(userRoutes.deleteCurrentUser, {});
    await page.locator('header').getByRole('link', { name: 'account' }).click();
    await page.waitForURL('**/login?returnTo=%2Faccount%2Fgeneral');
    await signIn(page, product.url, email);
    await page.reload();
    await page.waitForURL('**/account/general');
    await page.getByRole('main').getByText(email).waitFor();
    await close();
  });
});

describe('preferences', () => {
  const wantsReminder = async (account: ApiClient) => (await account.me()).preferences.wantsEmailReminder;

  it('are saved when toggled', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    const body = { preferences: { defaultAiPipeline: { faceEnhance: { model: 'base' as const } } } };
    await account.call(userRoutes.updatePreferences, { body });
    await openDialog(page);
    await page.evaluate(() => document.body.setAttribute('data-mark', ''));
    await untilToast(page, 'Saved', () =>
      dialog(page)
        .getByRole('switch', { name: text('account:general.reminder.title') })
        .uncheck(),
    );
    expect(await wantsReminder(account)).toBe(false);
    const location = { name: text('account:general.location.title') };
    await dialog(page).getByRole('switch', location).check();
    await until('the location is kept', async () => (await account.me()).preferences.keepLocation);

    await dialog(page).getByRole('listitem').getByText('Faces').waitFor();
    await dialog(page)
      .getByRole('button', { name: text('account:general.tools.reset') })
      .click();
    await dialog(page).getByText(text('account:general.tools.ours')).waitFor();
    expect((await account.me()).preferences.defaultAiPipeline).toBeNull();

    // The page is unchanged.
    await expect.poll(() => page.evaluate(() => document.body.hasAttribute('data-mark'))).toBe(true);
    await page.reload();
    await expect
      .poll(() => page.getByRole('switch', { name: text('account:general.reminder.title') }).isChecked())
      .toBe(false);
    expectNoErrors();
    await close();
  });

  it('are saved when toggled before the scripts have loaded', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    const release = await holdScripts(page);
    await page.goto('/account/general', { waitUntil: 'commit' });
    const reminder = page.getByRole('switch', { name: text('account:general.reminder.title') });
    await reminder.uncheck();
    release();
    await until('the choice is saved', async () => !(await wantsReminder(account)));
    await expect.poll(() => reminder.isChecked()).toBe(false);
    expectNoErrors();
    await close();
  });

  itInLongRun('are rolled back when saving fails', async () => {
    const { page, account, close } = await openMember(browser(), product.url);
    await openDialog(page);
    await page.route('**/account/preferences', (route) => route.abort());
    const reminder = dialog(page).getByRole('switch', { name: text('account:general.reminder.title') });
    // Not `uncheck`, which expects the new state after the click.
    await reminder.click({ force: true });
    await dialog(page).getByRole('alert').waitFor();
    await expect.poll(() => reminder.isChecked()).toBe(true);
    expect(await wantsReminder(account)).toBe(true);
    await close();
  });

  it('without JavaScript are saved by a button', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, {
      javaScriptEnabled: false,
    });
    await page.goto('/account/general?v=b&from=%2Fhistory');
    await page.getByRole('switch', { name: text('account:general.reminder.title') }).uncheck();
    const reminder = page.locator('form', { hasText: text('account:general.reminder.title') });
    await reminder.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved').waitFor();
    await expect.poll(() => page.url()).toBe(`${product.url}/account/general?v=b&from=%2Fhistory`);
    expect(await wantsReminder(account)).toBe(false);
    expectNoErrors();
    await close();
  });

  it('accept known keys only', async () => {
    const { page, close } = await openMember(browser(), product.url);
    const response = await page.request.post(`${product.url}/account/preferences`, { form: { change: 'isFree' } });
    expect(response.status()).toBe(422);
    await close();
  });
});
