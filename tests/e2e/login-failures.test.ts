import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPage, useBrowser } from '../support/browser.ts';
import { type Google, googleToken, startGoogle } from '../support/google.ts';
import { type Product, startProduct } from '../support/product.ts';
import {
  accountLink,
  newEmail,
  openLogin,
  signInByPopup,
  signInByRedirect,
  trackedOn,
  untilLive,
} from '../support/sign-in.ts';
import { expectSound, LOOKS } from '../support/sound.ts';

let product: Product;
const browser = useBrowser();
let google: Google;

beforeAll(async () => {
  google = await startGoogle();
  product = await startProduct(google.environment);
});
afterAll(async () => {
  await product?.stop();
  await google?.stop();
});

const visit = (options: Parameters<typeof openPage>[2] = {}) =>
  openPage(browser(), product.url, { neighbours: [google.origin], ...options });

/** On a page with the login form over it. */
async function visitLogin(options?: Parameters<typeof openPage>[2]) {
  const watched = await visit(options);
  await watched.page.goto('/about/files');
  await untilLive(watched.page);
  await openLogin(watched.page);
  return watched;
}

const form = (page: Page) => page.getByRole('dialog', { name: 'Log in / sign up' });
const modal = (page: Page, name: string) => page.getByRole('dialog', { name });
const isGuest = async (page: Page): Promise<boolean> => (await accountLink(page).count()) === 0;

/** Somebody whose account was made with Google. */
async function makeGoogleAccount(): Promise<string> {
  const email = newEmail();
  const { page, close } = await visitLogin();
  await signInByPopup(page, { provider: 'Google', email });
  await accountLink(page).waitFor();
  await close();
  return email;
}

describe('a login that fails', () => {
  it('because the window was closed says nothing, and can be tried again', async () => {
    const { page, expectQuiet, close } = await visitLogin();
    for (const leave of ['by its button', 'by the browser'] as const) {
      const opened = page.waitForEvent('popup');
      await page.getByRole('button', { name: 'Continue with Google' }).click();
      const popup = await opened;
      await page.getByRole('button', { name: 'Logging in' }).waitFor();
      await untilLive(popup);
      if (leave === 'by the browser') await popup.close();
      else await popup.getByRole('button', { name: 'Close without signing in' }).click();
      await page.getByRole('button', { name: 'Continue with Google' }).waitFor();
      expect(await form(page).getByRole('alert').count()).toBe(0);
    }
    const canceled = ['login started', 'login canceled auth/popup-closed-by-user'];
    expect(await trackedOn(page)).toEqual([...canceled, ...canceled]);
    await signInByPopup(page);
    await accountLink(page).waitFor();
    expectQuiet();
    await close();
  });

  it('because the browser keeps nothing opens ‘Login not supported’', async () => {
    const { page, expectQuiet, close } = await visitLogin();
    await signInByPopup(page, { scenario: 'storage_unsupported' });
    await modal(page, 'Login not supported').getByRole('button', { name: 'Ok, Got It' }).click();
    await form(page).waitFor();
    expect(await trackedOn(page)).toContain('login failed auth/web-storage-unsupported');
    expectQuiet();
    await close();
  });

  it('at the provider says so beside the buttons, and can be tried again', async () => {
    const { page, expectQuiet, close } = await visitLogin();
    for (const [scenario, words] of [
      ['network', "can't be reached"],
      ['too_many_requests', 'tried too often'],
      ['user_disabled', 'switched off'],
      ['unforeseen', 'Signing in did not work'],
    ] as const) {
      await signInByPopup(page, { scenario });
      await form(page).getByRole('alert').getByText(words).waitFor();
      expect(await isGuest(page)).toBe(true);
    }
    expectQuiet();
    await close();
  });

  it.each([
    [
      401,
      'Signing in did not work',
      ['expired', 'other_key', 'other_audience', 'other_issuer', 'unsigned', 'anonymous', 'disabled'],
    ],
    [503, "can't be reached right now", ['unavailable']],
  ] as const)('at the backend (%i) says so beside the buttons: %s: %s', async (expectedStatus, words, scenarios) => {
    const { page, expectQuiet, close } = await visitLogin({ expectedStatus });
    const code = expectedStatus === 401 ? 'users.identity_rejected' : 'service.unavailable';
    const expected: string[] = [];
    for (const scenario of scenarios) {
      await signInByPopup(page, { scenario });
      expected.push('login started', `login failed ${code}`);
      await expect.poll(() => trackedOn(page)).toEqual(expected);
      await form(page).getByRole('alert').getByText(words).waitFor();
      expect(await isGuest(page)).toBe(true);
    }
    expectQuiet();
    await close();
  });

  it('says so without JavaScript as well', async () => {
    const { page, expectQuiet, close } = await visit({ javaScriptEnabled: false });
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
    await page.getByRole('button', { name: 'Close without signing in' }).click();
    await page.waitForURL('**/login?returnTo=*');
    expect(await page.getByRole('alert').count()).toBe(0);
    expectQuiet();
    await close();
  });
});

describe('an account of another provider', () => {
  it('is opened by that one, and from then on by both', async () => {
    const email = await makeGoogleAccount();
    const { page, expectQuiet, close } = await visitLogin();
    await signInByPopup(page, { provider: 'Facebook', email });
    const linking = modal(page, 'You already have an account');
    await linking.getByText('made with Google').waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBeGreaterThan(0);
    await signInByPopup(page, { provider: 'Google', email });
    await accountLink(page, email).waitFor();
    expect(await trackedOn(page)).toEqual([
      'login started',
      'login failed auth/account-exists-with-different-credential',
      'login started',
      'accountLinking started',
      'accountLinking completed',
      'login completed',
    ]);
    expectQuiet();
    await close();

    const again = await visitLogin();
    await signInByPopup(again.page, { provider: 'Facebook', email });
    await accountLink(again.page, email).waitFor();
    await again.close();
  });

  it('is opened and joined without JavaScript too', async () => {
    const email = await makeGoogleAccount();
    const { page, expectQuiet, close } = await visit({ javaScriptEnabled: false });
    await page.goto('/login?returnTo=/about/files');
    await signInByRedirect(page, { provider: 'Facebook', email });
    await page.getByText('made with Google').waitFor();
    await signInByRedirect(page, { provider: 'Google', email });
    await page.waitForURL('**/about/files');
    await page.context().clearCookies();
    await page.goto('/login?returnTo=/about/files');
    await signInByRedirect(page, { provider: 'Facebook', email });
    await page.waitForURL('**/about/files');
    await accountLink(page, email).waitFor();
    expectQuiet();
    await close();
  });

  it('of another address is joined only if that is wanted, and not when it belongs to somebody', async () => {
    const [taken, own] = [await makeGoogleAccount(), newEmail()];
    for (const [choice, next] of [
      ['Keep them apart', null],
      ['Add Facebook to this account', 'The two logins could not be joined'],
    ] as const) {
      const { page, close } = await visitLogin();
      await signInByPopup(page, { provider: 'Facebook', email: taken });
      await modal(page, 'You already have an account').waitFor();
      await signInByPopup(page, { provider: 'Google', email: own });
      await modal(page, 'Different email detected').getByRole('button', { name: choice }).click();
      if (next) await modal(page, next).getByRole('button', { name: 'Ok, Got It' }).click();
      await accountLink(page, own).waitFor();
      const events = await trackedOn(page);
      expect(events.includes('accountLinking failed auth/email-already-in-use')).toBe(next !== null);
      await close();
    }
  });
});

describe('the login form', () => {
  it.each(LOOKS)('is sound in $locale, $colorScheme', async (look) => {
    const { page, close } = await visit({ ...look, reducedMotion: 'reduce' });
    for (const address of ['/login', '/login/linking?attempted=apple', '/terms', '/privacy-and-cookie-policy']) {
      await page.goto(address);
      await expectSound(page, [1440, 390]);
    }
    await close();
  });

  it('leads to the rules one agrees to', async () => {
    const { page, expectQuiet, close } = await visit({ javaScriptEnabled: false });
    for (const name of ['Terms of use', 'Privacy and cookie policy']) {
      await page.goto('/login');
      const target = await page.getByRole('main').getByRole('link', { name }).getAttribute('href');
      await page.goto(target ?? '');
      await page.getByRole('heading', { level: 1, name }).waitFor();
    }
    expectQuiet();
    await close();
  });
});

describe('Google’s prompt', () => {
  const DESK = { viewport: { width: 1280, height: 800 } };
  const prompt = (page: Page) => page.getByRole('button', { name: 'Continue as you' });
  const offer = (page: Page, credential: string) =>
    page.evaluate((given) => Object.assign(window, { googleCredential: given }), credential);

  it('signs a guest in on home', async () => {
    const { page, expectQuiet, close } = await visit(DESK);
    await page.goto('/');
    await prompt(page).waitFor();
    const email = newEmail();
    await offer(page, googleToken({ aud: google.clientId, email, email_verified: 'true' }));
    await prompt(page).click();
    await accountLink(page, email).waitFor();
    expect(google.asked).toContain('/tokeninfo');
    expectQuiet();
    await close();
  });

  it.each([
    ['made for somebody else', { aud: 'another.apps.googleusercontent.com', email_verified: 'true' }],
    ['with an address that nobody has proven', { aud: null, email_verified: 'false' }],
  ])('takes no token %s', async (_what, { aud, email_verified }) => {
    const { page, close } = await visit(DESK);
    await page.goto('/');
    await prompt(page).waitFor();
    await offer(page, googleToken({ aud: aud ?? google.clientId, email: newEmail(), email_verified }));
    await prompt(page).click();
    await page.getByText('Signing in did not work').first().waitFor();
    expect(await trackedOn(page)).toEqual(['login started', 'login failed auth/invalid-credential']);
    expect(await accountLink(page).count()).toBe(0);
    await close();
  });

  it('comes nowhere else, not on a phone, and not to somebody logged in', async () => {
    const clock = { at: '/about/files', viewport: { width: 1280, height: 800 }, isMember: false };
    for (const { at, viewport, isMember } of [
      clock,
      { ...clock, at: '/', viewport: { width: 390, height: 844 } },
      { ...clock, at: '/', isMember: true },
    ]) {
      const { page, close } = await visit({ viewport });
      if (isMember) {
        await page.goto('/login?returnTo=/about/files');
        await untilLive(page);
        await signInByPopup(page);
        await accountLink(page).waitFor();
      }
      await page.clock.install();
      await page.goto(at);
      await untilLive(page);
      const before = google.asked.length;
      await page.clock.runFor(10_000);
      expect(await page.locator('script[src*="/gsi/client"]').count()).toBe(0);
      expect(google.asked.length).toBe(before);
      await close();
    }
  });
});
