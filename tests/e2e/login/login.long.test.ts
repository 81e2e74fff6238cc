import { describe, expect, it } from 'vitest';
import { ApiClient } from '../../support/api-client.ts';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import {
  accountLink,
  continueForFree,
  newEmail,
  openLogin,
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

describe('logging in over the page', () => {
  it.each(['Facebook', 'Google', 'Apple'] as const)('with %s', async (provider) => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url);
    await page.goto('/?v=b');
    await untilHydrated(page);
    await openLogin(page);
    const email = newEmail();
    await signUpByPopup(page, { provider, email });
    await accountLink(page, email).waitFor();
    await expect.poll(() => page.url()).toBe(`${product.url}/?v=b`);
    expectNoErrors();
    await close();
  });
});

describe('logging in without JavaScript', () => {
  it.each(['Google', 'Apple'] as const)('with %s', async (provider) => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled: false });
    await page.goto('/login?returnTo=%2Fabout%2Ffiles%3Fv%3Db');
    const email = newEmail();
    await signInByRedirect(page, { provider, email });
    await page.waitForURL(`${product.url}/about/files?v=b`);
    await accountLink(page, email).waitFor();
    expectNoErrors();
    await close();
  });
});

it('a login does not redirect to other sites', async () => {
  const { page, expectNoErrors, close } = await openPage(browser(), product.url);
  await page.goto('/login?returnTo=//elsewhere.example/');
  await untilHydrated(page);
  await signInByPopup(page);
  await accountLink(page).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/onboarding');
  expectNoErrors();
  await close();
});

describe('linking an account of another email address', () => {
  it('can be declined', async () => {
    const [taken, own] = [newEmail(), newEmail()];
    await ApiClient.logIn(product.url, taken);
    const { page, close } = await openLoginPage(browser(), product.url);
    await signInByPopup(page, { provider: 'Facebook', email: taken });
    await page.getByRole('dialog', { name: 'You already have an account' }).waitFor();
    await signInByPopup(page, { provider: 'Google', email: own });
    const choice = page.getByRole('dialog', { name: 'Different email detected' });
    await choice.getByRole('button', { name: text('onboarding:differentEmail.keepApart') }).click();
    await continueForFree(page);
    await accountLink(page, own).waitFor();
    await expect.poll(() => trackedOn(page)).not.toContain('accountLinking failed auth/email-already-in-use');
    await close();
  });
});

describe('a failed login', () => {
  it('at the provider shows an error and can be retried', async () => {
    const { page, expectNoErrors, close } = await openLoginPage(browser(), product.url);
    for (const [scenario, words] of [
      ['network', text('onboarding:login.failures.network')],
      ['too_many_requests', text('onboarding:login.failures.tooOften')],
      ['user_disabled', text('onboarding:login.failures.disabled')],
      ['unforeseen', text('onboarding:login.failures.other')],
    ] as const) {
      await signInByPopup(page, { scenario });
      await page.getByRole('dialog').getByRole('alert').getByText(words).waitFor();
      await expect.poll(() => accountLink(page).count()).toBe(0);
    }
    expectNoErrors();
    await close();
  });

  it('at the api shows an error beside the buttons and can be retried', async () => {
    const { page, expectNoErrors, close } = await openLoginPage(browser(), product.url, { expectedStatus: 401 });
    const expected: string[] = [];
    for (const scenario of [
      ...['expired', 'other_key', 'other_audience', 'other_issuer', 'unsigned', 'anonymous', 'disabled'],
    ]) {
      await signInByPopup(page, { scenario });
      expected.push('login started', 'login failed users.identity_rejected');
      await expect.poll(() => trackedOn(page)).toEqual(expected);
      await page.getByRole('dialog').getByRole('alert').getByText(text('onboarding:login.failures.other')).waitFor();
      await expect.poll(() => accountLink(page).count()).toBe(0);
    }
    expectNoErrors();
    await close();
  });
});
