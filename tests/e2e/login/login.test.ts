import { describe, expect, it } from 'vitest';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { itInLongRun } from '../../support/browser/javascript.ts';
import { enhancePicture, smallPicture } from '../../support/payments/checkout.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import {
  accountLink,
  newEmail,
  openLogin,
  signInByPopup,
  signInByRedirect,
  signUpByPopup,
  tokenIn,
  trackedOn,
  untilHydrated,
} from '../../support/sign-in.ts';

const product = sharedProduct();
const browser = useBrowser();

const visit = (options?: Parameters<typeof openPage>[2]) => openPage(browser(), product.url, options);

/** Enhanced within a second. */
const smallFile = async () => ({ name: 'small.jpg', mimeType: 'image/jpeg', buffer: await smallPicture() });

describe('logging in', () => {
  it('in the modal keeps the page and updates its header', async () => {
    const { page, expectNoErrors, close } = await visit();
    await page.goto('/?v=b');
    await untilHydrated(page);
    await page.evaluate(() => document.body.setAttribute('data-mark', ''));
    await openLogin(page);
    await expect.poll(() => new URL(page.url()).pathname).toBe('/login');
    const email = newEmail();
    await signUpByPopup(page, { provider: 'Google', email });
    await accountLink(page, email).waitFor();
    await expect.poll(() => page.url()).toBe(`${product.url}/?v=b`);
    await expect.poll(() => page.evaluate(() => document.body.hasAttribute('data-mark'))).toBe(true);
    await expect.poll(() => trackedOn(page)).toEqual(['login started', 'login completed']);
    await page.reload();
    await accountLink(page, email).waitFor();
    expectNoErrors();
    await close();
  });

  // The other providers are in login.long.test.ts.
  it('without JavaScript redirects to the provider and back', async () => {
    const { page, expectNoErrors, close } = await visit({ javaScriptEnabled: false });
    await page.goto('/about/files?v=b');
    await page.getByRole('banner').getByRole('link', { name: 'Log in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Log in / sign up' }).waitFor();
    const email = newEmail();
    await signInByRedirect(page, { provider: 'Facebook', email });
    await page.waitForURL(`${product.url}/about/files?v=b`);
    await accountLink(page, email).waitFor();
    expectNoErrors();
    await close();
  });

  itInLongRun('as a page returns to the address it was opened from, and never to another origin', async () => {
    for (const [returnTo, path, javaScriptEnabled] of [
      ['/about/files', '/about/files', true],
      // Without a destination a new account starts with the plans.
      ['//elsewhere.example/', '/onboarding', false],
      ['/logout', '/onboarding', false],
    ] as const) {
      const { page, expectNoErrors, close } = await visit({ javaScriptEnabled });
      await page.goto(`/login?${new URLSearchParams({ returnTo })}`);
      if (javaScriptEnabled) await untilHydrated(page);
      await (javaScriptEnabled ? signInByPopup : signInByRedirect)(page);
      await accountLink(page).waitFor();
      await expect.poll(() => new URL(page.url()).pathname).toBe(path);
      // A member is redirected at once.
      await page.goto(`/login?${new URLSearchParams({ returnTo })}`);
      await expect.poll(() => new URL(page.url()).pathname).toBe(path === '/onboarding' ? '/' : path);
      expectNoErrors();
      await close();
    }
  });

  itInLongRun('redirects when the browser blocks popups', async () => {
    const { page, expectNoErrors, close } = await visit();
    await page.addInitScript(() => {
      window.open = () => null;
    });
    await page.goto('/about/files');
    await untilHydrated(page);
    await openLogin(page);
    await signInByRedirect(page);
    await page.waitForURL('**/about/files');
    await accountLink(page).waitFor();
    expectNoErrors();
    await close();
  });

  it('on the result page keeps the result and revokes the guest', async () => {
    const { page, expectNoErrors, close } = await visit();
    await enhancePicture(page);
    await untilHydrated(page);
    const result = page.url();
    const guest = await tokenIn(page.context(), 'guest');
    await openLogin(page);
    await signUpByPopup(page);
    await accountLink(page).waitFor();
    await expect.poll(() => page.url()).toBe(result);
    await page.getByAltText('Your photo after').waitFor();
    const response = await fetch(`${product.apiUrl}/api/v1/web/users/@me`, {
      headers: { authorization: `Bearer ${guest}` },
    });
    expect(response.status).toBe(401);
    await page.reload();
    await page.getByAltText('Your photo after').waitFor();
    expectNoErrors();
    await close();
  });

  itInLongRun('during an upload keeps the upload', async () => {
    const { page, expectNoErrors, close } = await visit();
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/media/uploads/**', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto('/');
    await untilHydrated(page);
    const started = page.waitForRequest(/\/media\/uploads\//);
    await page.getByLabel('Choose a photo').setInputFiles(await smallFile());
    await started;
    // The upload covers its own tab.
    const other = await page.context().newPage();
    await other.goto('/');
    await untilHydrated(other);
    await openLogin(other);
    await signUpByPopup(other);
    await accountLink(other).waitFor();
    release();
    await page.bringToFront();
    await page.waitForURL(/\/result\?taskId=/);
    await page.getByAltText('Your photo after').waitFor();
    expectNoErrors();
    await close();
  });
});
