import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { itInLongRun } from '../../support/browser/javascript.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import {
  accountLink,
  openLoginPage,
  signInByPopup,
  signInByRedirect,
  signUpByPopup,
  trackedOn,
  untilHydrated,
} from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const visit = (options: Parameters<typeof openPage>[2] = {}) => openPage(browser(), product.url, options);
const visitLogin = (options?: Parameters<typeof openLoginPage>[2]) => openLoginPage(browser(), product.url, options);
const modal = (page: Page, name: string) => page.getByRole('dialog', { name });
const form = (page: Page) => modal(page, 'Log in / sign up');
const isGuest = async (page: Page): Promise<boolean> => (await accountLink(page).count()) === 0;

describe('a failed login', () => {
  itInLongRun('shows no error when the popup was closed', async () => {
    const { page, expectNoErrors, close } = await visitLogin();
    for (const leave of ['by its button', 'by the browser'] as const) {
      const opened = page.waitForEvent('popup');
      await page.getByRole('button', { name: 'Continue with Google' }).click();
      const popup = await opened;
      await page.getByRole('button', { name: 'Logging in' }).waitFor();
      await untilHydrated(popup);
      if (leave === 'by the browser') await popup.close();
      else await popup.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
      await expect.poll(() => form(page).getByRole('alert').count()).toBe(0);
    }
    const canceled = ['login started', 'login canceled auth/popup-closed-by-user'];
    await expect.poll(() => trackedOn(page)).toEqual([...canceled, ...canceled]);
    expectNoErrors();
    await close();
  });

  itInLongRun('opens ‘Login not supported’ when the browser blocks storage', async () => {
    const { page, expectNoErrors, close } = await visitLogin();
    await signInByPopup(page, { scenario: 'storage_unsupported' });
    await modal(page, 'Login not supported')
      .getByRole('button', { name: text('common:gotIt') })
      .click();
    await form(page).waitFor();
    await expect.poll(() => trackedOn(page)).toContain('login failed auth/web-storage-unsupported');
    expectNoErrors();
    await close();
  });

  // The other scenarios are in login.long.test.ts.
  it('at the provider shows an error and can be retried', async () => {
    const { page, expectNoErrors, close } = await visitLogin();
    await signInByPopup(page, { scenario: 'unforeseen' });
    await form(page).getByRole('alert').getByText(text('onboarding:login.failures.other')).waitFor();
    expect(await isGuest(page)).toBe(true);
    await signUpByPopup(page);
    await accountLink(page).waitFor();
    expectNoErrors();
    await close();
  });

  it.each([
    [401, text('common:errors.users.identity_rejected'), ['expired']],
    [503, text('common:errors.service.unavailable'), ['unavailable']],
  ] as const)('at the api (%i) is reported beside the buttons: %s: %s', async (expectedStatus, words, scenarios) => {
    const { page, expectNoErrors, close } = await visitLogin({ expectedStatus });
    const code = expectedStatus === 401 ? 'users.identity_rejected' : 'service.unavailable';
    const expected: string[] = [];
    for (const scenario of scenarios) {
      await signInByPopup(page, { scenario });
      expected.push('login started', `login failed ${code}`);
      await expect.poll(() => trackedOn(page)).toEqual(expected);
      await form(page).getByRole('alert').getByText(words).waitFor();
      expect(await isGuest(page)).toBe(true);
    }
    expectNoErrors();
    await close();
  });

  it('shows errors without JavaScript', async () => {
    const { page, expectNoErrors, close } = await visit({ javaScriptEnabled: false });
    for (const [scenario, heading] of [
      ['network', 'Log in / sign up'],
      ['storage_unsupported', 'Login not supported'],
      ['account_exists', 'You already have an account'],
    ] as const) {
      await page.goto('/login?returnTo=/about/files');
      await signInByRedirect(page, { scenario });
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    }
    await page.goto('/login?returnTo=/about/files');
    await page.getByRole('button', { name: 'Continue with Apple' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL('**/login?returnTo=*');
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    expectNoErrors();
    await close();
  });
});

describe('the login form', () => {
  it('links to the terms and the privacy policy', async () => {
    const { page, expectNoErrors, close } = await visit({ javaScriptEnabled: false });
    for (const [name, policy] of [
      ['Terms', 'terms'],
      ['Privacy Policy', 'privacy'],
    ] as const) {
      await page.goto('/login');
      const target = await page.getByRole('main').getByRole('link', { name }).getAttribute('href');
      await page.goto(target ?? '');
      await page.getByRole('heading', { level: 1, name: text(`onboarding:policies.${policy}.title`) }).waitFor();
    }
    expectNoErrors();
    await close();
  });
});
