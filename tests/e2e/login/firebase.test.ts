import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthEmulator, startAuthEmulator } from '../../support/auth-emulator.ts';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { GAPI_ORIGIN, mockGapi } from '../../support/gapi.ts';
import { type Service, startApiAndWeb } from '../../support/product/services.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { accountLink, continueForFree, newEmail, openLogin, trackedOn, untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

let emulator: AuthEmulator;
let emulatorHost: string;
let product: Service;
const browser = useBrowser();

beforeAll(async () => {
  emulator = await startAuthEmulator();
  // On the product's site: browsers block storage in third-party frames.
  emulatorHost = emulator.host.replace('127.0.0.1', 'localhost');
  const environment = {
    IDENTITY_PROVIDER: 'firebase',
    FIREBASE_PROJECT_ID: emulator.projectId,
    FIREBASE_AUTH_EMULATOR_HOST: emulatorHost,
  };
  product = await startApiAndWeb(sharedProduct(), environment);
});
afterAll(async () => {
  await product?.stop();
  await emulator?.stop();
});

async function visitLogin() {
  const watched = await openPage(browser(), product.url, { allowedOrigins: [`http://${emulatorHost}`, GAPI_ORIGIN] });
  await mockGapi(watched.page.context());
  await watched.page.goto('/about/files');
  await untilHydrated(watched.page);
  await openLogin(watched.page);
  return watched;
}

/** Creates or reuses an account in the emulator's popup. */
async function signIn(page: Page, provider: string, email: string): Promise<void> {
  const opened = page.waitForEvent('popup');
  await page
    .getByRole('button', { name: `Continue with ${provider}` })
    .last()
    .click();
  const popup = await opened;
  const known = popup.locator('.js-reuse-account', { hasText: email });
  const another = popup.locator('.js-new-account');
  await another.waitFor();
  const closed = popup.waitForEvent('close');
  if ((await known.count()) > 0) await known.click();
  else {
    await another.click();
    await popup.locator('#email-input').fill(email);
    await popup.locator('#sign-in').click();
  }
  await closed;
  await page.bringToFront();
}

/** Facebook's addresses are unverified, but the emulator's popup verifies them. */
const leaveEmailUnverified = (page: Page, provider: string) =>
  page.route('**/accounts:signInWithIdp*', (route) => {
    const sent = route.request().postData() ?? '';
    const isOfProvider = sent.includes(`providerId=${provider}`);
    return route.continue({
      postData: isOfProvider ? sent.replace('email_verified%22%3Atrue', 'email_verified%22%3Afalse') : sent,
    });
  });

describe('with Firebase', () => {
  // Google and Facebook are tested below by linking.
  it('logs in through a popup: Apple', async () => {
    const { page, expectNoErrors, close } = await visitLogin();
    const email = newEmail();
    await signIn(page, 'Apple', email);
    await continueForFree(page);
    await accountLink(page, email).waitFor();
    await expect.poll(() => page.url()).toBe(`${product.url}/about/files`);
    await page.reload();
    await accountLink(page, email).waitFor();
    expectNoErrors();
    await close();
  });

  it('signs a guest in anonymously', async () => {
    const { page, close } = await openPage(browser(), product.url, { allowedOrigins: [`http://${emulatorHost}`] });
    const anonymous = page.waitForResponse(/accounts:signUp/);
    await page.goto('/about/files');
    expect((await anonymous).status()).toBe(200);
    await expect.poll(() => page.evaluate(() => localStorage.getItem('clearframe:anonymous-guest'))).toBe('1');
    await close();
  });

  it('shows no error when the popup is closed', async () => {
    const { page, expectNoErrors, close } = await visitLogin();
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await (await opened).close();
    await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
    await expect.poll(() => trackedOn(page)).toEqual(['login started', 'login canceled auth/popup-closed-by-user']);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    expectNoErrors();
    await close();
  });

  it('links a second provider to an account after a login with the first', async () => {
    const email = newEmail();
    await emulator.signIn({ provider: 'google.com', email });
    const { page, close } = await visitLogin();
    await leaveEmailUnverified(page, 'facebook.com');
    await signIn(page, 'Facebook', email);
    await page.getByRole('dialog', { name: 'You already have an account' }).waitFor();
    await signIn(page, 'Google', email);
    await continueForFree(page);
    await accountLink(page, email).waitFor();
    await expect.poll(() => page.url()).toBe(`${product.url}/about/files`);
    const events = await trackedOn(page);
    expect(events).toContain('login failed auth/account-exists-with-different-credential');
    expect(events).toContain('accountLinking completed');
    await close();

    const again = await visitLogin();
    await signIn(again.page, 'Facebook', email);
    await continueForFree(again.page);
    await accountLink(again.page, email).waitFor();
    await again.close();
  });

  // The emulator has no pages of providers; web/app/features/identity/login has the rest with a server that does.
  it('asks the provider without JavaScript, and says when it refuses', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled: false });
    await page.goto('/login');
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await page.getByRole('alert').getByText(text('onboarding:login.failures.other')).waitFor();
    expectNoErrors();
    await close();
  });

  it('has no sandbox login page', async () => {
    expect((await fetch(`${product.url}/sandbox/identity`)).status).toBe(404);
    const response = await fetch(`${product.url}/sandbox/identity`, {
      method: 'POST',
      headers: { origin: product.url, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'provider=google&email=user%40example.com',
    });
    expect(response.status).toBe(404);
  });
});
