import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ApiClient } from '../../support/api-client.ts';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { itInLongRun } from '../../support/browser/javascript.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import {
  accountLink,
  continueForFree,
  newEmail,
  openLoginPage,
  signInByPopup,
  signInByRedirect,
  signUpByPopup,
  trackedOn,
} from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const visitLogin = (options?: Parameters<typeof openLoginPage>[2]) => openLoginPage(browser(), product.url, options);
const modal = (page: Page, name: string) => page.getByRole('dialog', { name });

async function makeGoogleAccount(): Promise<string> {
  const email = newEmail();
  await ApiClient.logIn(product.url, email);
  return email;
}

describe('an account of another provider', () => {
  it('is linked after a login with the first provider', async () => {
    const email = await makeGoogleAccount();
    const { page, expectNoErrors, close } = await visitLogin();
    await signInByPopup(page, { provider: 'Facebook', email });
    const linking = modal(page, 'You already have an account');
    await linking.getByText('already has an account with Google').waitFor();
    // The login's stays below, unseen.
    await expect.poll(() => page.locator('.modal:visible').count()).toBe(1);
    await expect.poll(() => page.evaluate(() => sessionStorage.length)).toBeGreaterThan(0);
    await signUpByPopup(page, { provider: 'Google', email });
    await accountLink(page, email).waitFor();
    await expect
      .poll(() => trackedOn(page))
      .toEqual([
        'login started',
        'login failed auth/account-exists-with-different-credential',
        'login started',
        'accountLinking started',
        'accountLinking completed',
        'login completed',
      ]);
    expectNoErrors();
    await close();

    const again = await visitLogin();
    await signUpByPopup(again.page, { provider: 'Facebook', email });
    await accountLink(again.page, email).waitFor();
    await again.close();
  });

  itInLongRun('is linked without JavaScript', async () => {
    const email = await makeGoogleAccount();
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled: false });
    await page.goto('/login?returnTo=/about/files');
    await signInByRedirect(page, { provider: 'Facebook', email });
    await page.getByText('already has an account with Google').waitFor();
    await signInByRedirect(page, { provider: 'Google', email });
    await page.waitForURL('**/about/files');
    await page.context().clearCookies();
    await page.goto('/login?returnTo=/about/files');
    await signInByRedirect(page, { provider: 'Facebook', email });
    await page.waitForURL('**/about/files');
    await accountLink(page, email).waitFor();
    expectNoErrors();
    await close();
  });

  // Keeping the accounts apart is in login.long.test.ts.
  it('is not linked when its email address has another account', async () => {
    const [taken, own] = [await makeGoogleAccount(), newEmail()];
    const { page, close } = await visitLogin();
    await signInByPopup(page, { provider: 'Facebook', email: taken });
    await modal(page, 'You already have an account').waitFor();
    await signInByPopup(page, { provider: 'Google', email: own });
    const choice = modal(page, 'Different email detected');
    await choice.getByRole('button', { name: 'Add Facebook to this account' }).click();
    await modal(page, text('onboarding:linkingFailed.title'))
      .getByRole('button', { name: text('common:gotIt') })
      .click();
    await continueForFree(page);
    await accountLink(page, own).waitFor();
    await expect.poll(() => trackedOn(page)).toContain('accountLinking failed auth/email-already-in-use');
    await close();
  });
});
