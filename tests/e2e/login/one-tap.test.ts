import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { type Google, googleToken, startGoogleMock } from '../../support/google.ts';
import { signIn } from '../../support/members.ts';
import { type Service, startWeb } from '../../support/product/services.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { accountLink, continueForFree, newEmail, trackedOn, untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const browser = useBrowser();
const product = sharedProduct();
let web: Service;
let google: Google;

beforeAll(async () => {
  google = await startGoogleMock();
  web = await startWeb(product, google.environment);
});
afterAll(async () => {
  await web?.stop();
  await google?.stop();
});

const visit = (options: Parameters<typeof openPage>[2] = {}) =>
  openPage(browser(), web.url, { allowedOrigins: [google.origin], ...options });

describe('Google’s prompt', () => {
  const DESK = { viewport: { width: 1280, height: 800 } };
  const prompt = (page: Page) => page.getByRole('button', { name: 'Continue as you' });
  const offer = (page: Page, credential: string) =>
    page.evaluate((given) => Object.assign(window, { googleCredential: given }), credential);

  it('logs a guest in on the home page', async () => {
    const { page, expectNoErrors, close } = await visit(DESK);
    await page.goto('/');
    await prompt(page).waitFor();
    const email = newEmail();
    await offer(page, googleToken({ aud: google.clientId, email, email_verified: 'true' }));
    await prompt(page).click();
    await continueForFree(page);
    await accountLink(page, email).waitFor();
    expect(google.requestedPaths).toContain('/tokeninfo');
    expectNoErrors();
    await close();
  });

  it.each([
    ['issued for another client', { aud: 'another.apps.googleusercontent.com', email_verified: 'true' }],
    ['with an unverified email address', { aud: null, email_verified: 'false' }],
  ])('rejects a token %s', async (_what, { aud, email_verified }) => {
    const { page, close } = await visit(DESK);
    await page.goto('/');
    await prompt(page).waitFor();
    await offer(page, googleToken({ aud: aud ?? google.clientId, email: newEmail(), email_verified }));
    await prompt(page).click();
    await page.getByText(text('onboarding:login.failures.other')).first().waitFor();
    await expect.poll(() => trackedOn(page)).toEqual(['login started', 'login failed auth/invalid-credential']);
    await expect.poll(() => accountLink(page).count()).toBe(0);
    await close();
  });

  it('is shown on the home page only, not on phones, not to members', async () => {
    const clock = { at: '/about/files', viewport: { width: 1280, height: 800 }, isMember: false };
    for (const { at, viewport, isMember } of [
      clock,
      { ...clock, at: '/', viewport: { width: 390, height: 844 } },
      { ...clock, at: '/', isMember: true },
    ]) {
      const { page, close } = await visit({ viewport });
      if (isMember) await signIn(page, web.url, newEmail());
      await page.clock.install();
      await page.goto(at);
      await untilHydrated(page);
      const before = google.requestedPaths.length;
      await page.clock.runFor(10_000);
      await expect.poll(() => page.locator('script[src*="/gsi/client"]').count()).toBe(0);
      expect(google.requestedPaths.length).toBe(before);
      await close();
    }
  });
});
