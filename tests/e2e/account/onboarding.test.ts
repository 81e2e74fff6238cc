import { userRoutes } from '@clearframe/contract';
import { describe, expect } from 'vitest';
import { ApiClient } from '../../support/api-client.ts';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { describeInLongRun, itInLongRun, itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { signIn } from '../../support/members.ts';
import { smallPicture } from '../../support/payments/checkout.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import {
  accountLink,
  continueForFree,
  newEmail,
  signInByPopup,
  signInByRedirect,
  untilHydrated,
} from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const visit = (options?: Parameters<typeof openPage>[2]) => openPage(browser(), product.url, options);

/** A guest who has uploaded a picture in an onboarding on another site, and the URL that it links to. */
async function finishFunnel() {
  const guest = await ApiClient.createGuest(product.url);
  const { bulkUploadId, taskId } = await guest.upload(await smallPicture());
  const { webOnboardingUserId } = await guest.call(userRoutes.issueWebOnboardingId, {});
  const query = new URLSearchParams({
    user_id: webOnboardingUserId,
    local_storage_id: 'from-the-funnel',
    version: 'ft',
    bulk_upload_id: bulkUploadId,
  });
  return { guest, taskId, address: `/onboarding?${query}` };
}

describe('getting started', () => {
  itWithAndWithoutJavaScript(
    'begins in the header for guests, never by itself',
    { short: 'with' },
    async (javaScriptEnabled) => {
      const { page, expectNoErrors, close } = await visit({ javaScriptEnabled });
      await page.goto('/about/files');
      if (javaScriptEnabled) await untilHydrated(page);
      await page.getByRole('banner').getByRole('link', { name: 'Get started' }).click();
      await page.getByRole('heading', { name: 'Get started' }).waitFor();
      const email = newEmail();
      await (javaScriptEnabled ? signInByPopup : signInByRedirect)(page, { email });
      if (javaScriptEnabled) await continueForFree(page);
      await accountLink(page, email).waitFor();
      await expect.poll(() => new URL(page.url()).pathname).toBe('/about/files');
      await expect.poll(() => page.getByRole('link', { name: 'Get started' }).count()).toBe(0);
      await page.goto('/');
      if (javaScriptEnabled) await untilHydrated(page);
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript('logs in and returns to the page', { short: 'neither' }, async (javaScriptEnabled) => {
    const { page, expectNoErrors, close } = await visit({ javaScriptEnabled });
    await page.goto('/onboarding?from=%2Fabout%2Ffiles&loginOnly=1');
    await page.getByRole('heading', { level: 1, name: 'Get started' }).waitFor();
    if (javaScriptEnabled) await untilHydrated(page);
    await (javaScriptEnabled ? signInByPopup : signInByRedirect)(page);
    await accountLink(page).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/about/files');
    // The code is used; logging in again is possible.
    await page.goto('/onboarding?from=%2Fabout%2Ffiles&loginOnly=1');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/about/files');
    await page.goto('/onboarding?forceLogin=1');
    await page.getByRole('heading', { level: 1, name: 'Get started' }).waitFor();
    expectNoErrors();
    await close();
  });

  itWithAndWithoutJavaScript(
    'continues with or without choosing a plan',
    { short: 'with' },
    async (javaScriptEnabled) => {
      const { page, expectNoErrors, close } = await visit({ javaScriptEnabled });
      const noted = () =>
        page.evaluate(() => {
          const events = 'dataLayer' in window ? (window.dataLayer as { event: string; action?: string }[]) : [];
          return events.filter(({ event }) => event === 'paywall').map(({ action }) => action);
        });
      const address = '/onboarding?from=%2Fabout%2Ffiles';
      if (!javaScriptEnabled) await signIn(page, product.url, newEmail());
      await page.goto(address);
      if (javaScriptEnabled) {
        await untilHydrated(page);
        await signInByPopup(page);
      }
      await page.getByRole('heading', { level: 1, name: text('onboarding:start.plansTitle') }).waitFor();
      await page.getByText('Free for 7 days with 20 downloads, then $9.99').waitFor();
      if (javaScriptEnabled) await expect.poll(noted).toEqual(['shown']);
      await page.getByRole('link', { name: text('onboarding:start.free') }).click();
      await page.waitForURL('**/about/files');
      if (javaScriptEnabled) await expect.poll(noted).toEqual(['shown', 'dismissed']);

      await page.goto(address);
      if (javaScriptEnabled) await expect.poll(noted).toEqual(['shown']);
      await page.getByRole('link', { name: `${text('tiers:try')} Business` }).click();
      await page.waitForURL('**/checkout?*');
      await page.getByText('Free until').waitFor();
      if (javaScriptEnabled) await expect.poll(() => noted()).toEqual(['shown', 'accepted']);

      // No plans are offered with a gift code.
      await page.goto(`${address}&redeemCode=abc`);
      await expect.poll(() => new URL(page.url()).pathname).toBe('/about/files');
      expectNoErrors();
      await close();
    },
  );
});

describeInLongRun('an onboarding on another site', () => {
  itWithAndWithoutJavaScript(
    'continues with the guest and photo created there',
    { short: 'neither' },
    async (javaScriptEnabled) => {
      const { guest, taskId, address } = await finishFunnel();
      const { page, expectNoErrors, close } = await visit({ javaScriptEnabled });
      await page.context().addCookies([{ name: 'clearframe_cookies', value: 'C0002', url: product.url }]);
      await page.goto(address);
      // The secret is a credential, so it is removed from the address.
      await expect.poll(() => page.url()).not.toContain('user_id');
      await expect.poll(() => new URL(page.url()).searchParams.get('version')).toBe('ft');
      if (javaScriptEnabled) await untilHydrated(page);
      // Events name it, with consent to measurement.
      const names = async () => (await page.context().cookies()).map(({ name }) => name);
      await expect.poll(names).toContain('clearframe_web_onboarding_local_storage_id');
      await (javaScriptEnabled ? signInByPopup : signInByRedirect)(page);
      await page.waitForURL(`**/processing?taskId=${taskId}`);
      await accountLink(page).waitFor();
      // Revoked.
      await expect(guest.me()).rejects.toMatchObject({ status: 401 });
      expectNoErrors();
      await close();
    },
  );

  itInLongRun('opens for a member who is logged in, and ignores a stale address', async () => {
    const { page, expectNoErrors, close } = await visit();
    await page.goto('/login');
    await untilHydrated(page);
    await signInByPopup(page);
    await accountLink(page).waitFor();
    const { taskId, address } = await finishFunnel();
    await page.goto(address);
    await page.waitForURL(`**/processing?taskId=${taskId}`);
    for (const stale of [address, '/onboarding?user_id=made-up']) {
      await page.goto(stale);
      await expect.poll(() => new URL(page.url()).pathname).toBe('/');
      await accountLink(page).waitFor();
    }
    expectNoErrors();
    await close();
  });
});
