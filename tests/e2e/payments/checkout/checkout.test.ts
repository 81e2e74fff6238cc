import { describe, expect, it } from 'vitest';
import { bytesOf, openPage, useBrowser } from '../../../support/browser/browser.ts';
import { pauseClock } from '../../../support/browser/clock.ts';
import { itInLongRun, itWithAndWithoutJavaScript } from '../../../support/browser/javascript.ts';
import { holdScripts } from '../../../support/browser/network.ts';
import { openMember, signIn } from '../../../support/members.ts';
import { answer, buyPack, enhancePicture, openCheckout, payWith } from '../../../support/payments/checkout.ts';
import { sharedProduct } from '../../../support/product/shared-product.ts';
import { newEmail, untilHydrated } from '../../../support/sign-in.ts';
import { text } from '../../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const openNewMember = (options: Parameters<typeof openMember>[2] = {}) => openMember(browser(), product.url, options);

describe('one-time purchases', () => {
  itWithAndWithoutJavaScript(
    'a guest pays for one download, and has it without watermark',
    { short: 'with' },
    async (javaScriptEnabled) => {
      const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled });
      await enhancePicture(page);
      await page.getByText('has a watermark').waitFor();
      await page.getByRole('link', { name: text('result:pay', { price: '$4.99' }) }).click();
      await page.getByText('No login required').waitFor();
      // One decision: the site's header would lead away from it.
      await expect.poll(() => page.getByRole('banner').count()).toBe(0);
      // The photo, by its display file.
      const photo = page.getByRole('img', { name: text('tiers:checkout.photo.alt') });
      await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
      await page.getByText('JPEG · ').waitFor();
      const saving = javaScriptEnabled ? page.waitForEvent('download') : null;
      await page.getByRole('button', { name: 'Pay $4.99' }).click();
      await payWith(page, 'good');
      await page.waitForURL(/\/result\?taskId=/);
      await page.getByText(text('result:paid')).last().waitFor();
      await page.getByRole('heading', { name: text('account:welcome.photoTitle') }).waitFor();
      await page.getByText(text(`account:welcome.${javaScriptEnabled ? 'downloading' : 'download'}`)).waitFor();
      await page.getByRole('link', { name: text('account:welcome.receipts') }).waitFor();
      const [saved] = await Promise.all([
        saving ?? page.waitForEvent('download'),
        javaScriptEnabled ? null : page.getByRole('link', { name: 'Download', exact: true }).click(),
      ]);
      expect((await bytesOf(saved)).length).toBeGreaterThan(500);
      await expect.poll(() => page.getByText('has a watermark').count()).toBe(0);
      // Paid pictures are not offered again; a reload starts no download.
      await expect.poll(() => page.getByRole('link', { name: text('result:pay', { price: '$4.99' }) }).count()).toBe(0);
      await page.reload();
      await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript(
    'a member buys a pack and spends one download',
    { short: 'without' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openNewMember({ javaScriptEnabled });
      await buyPack(page, 3);
      await page.waitForURL('**/account/limits');
      await page.getByText('3 left').waitFor();
      expect((await account.me()).availableCredits).toBe(3);

      await enhancePicture(page);
      await page.getByText('Uses 1 of 3 downloads').waitFor();
      await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download', exact: true }).click(),
      ]);
      if (!javaScriptEnabled) await page.reload();
      await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
      await expect.poll(() => page.getByText('has a watermark').count()).toBe(0);
      expect((await account.me()).availableCredits).toBe(2);
      expectNoErrors();
      await close();
    },
  );

  itInLongRun('a download that is pressed before the scripts have loaded updates the page', async () => {
    const { page, expectNoErrors, close } = await openNewMember({});
    await buyPack(page, 3);
    await page.waitForURL('**/account/limits');
    const release = await holdScripts(page);
    await page.clock.install();
    // The load event waits for scripts that have started.
    await enhancePicture(page, 'domcontentloaded');
    const downloading = page.waitForEvent('download');
    // The page waits three seconds at most for its scripts.
    await pauseClock(page);
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    release();
    await untilHydrated(page);
    await page.clock.resume();
    await downloading;
    await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
    expectNoErrors();
    await close();
  });

  itWithAndWithoutJavaScript(
    'reports a declined card, charges nothing and accepts another card',
    { short: 'with' },
    async (javaScriptEnabled) => {
      const { page, account, close } = await openNewMember({ javaScriptEnabled });
      // Stays on the provider's page.
      await openCheckout(page, 'ten_exports', { javaScriptEnabled });
      await page.getByRole('button', { name: 'Pay $24.99' }).click();
      await payWith(page, 'declined');
      await page.getByRole('alert').getByText('Your card was declined').waitFor();
      expect((await account.me()).availableCredits).toBe(0);
      await payWith(page, 'good');
      await page.waitForURL('**/account/limits');
      expect((await account.me()).availableCredits).toBe(10);
      await close();
    },
  );

  itWithAndWithoutJavaScript(
    'keeps the choice when the visitor returns without paying',
    { short: 'neither' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openNewMember({ javaScriptEnabled });
      await page.goto('/upgrade');
      await page.getByRole('link', { name: 'Buy: 3 downloads' }).click();
      await page.getByRole('button', { name: 'Pay $9.99' }).click();
      await page.locator('button[name=action][value=cancel]').click();
      await page.getByRole('status').getByText(text('tiers:checkout.canceled')).waitFor();
      await page.getByRole('heading', { name: '3 downloads' }).waitFor();
      expect((await account.me()).availableCredits).toBe(0);
      await page.getByRole('link', { name: text('tiers:checkout.back') }).click();
      await page.waitForURL('**/upgrade');
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript(
    'the bank’s confirmation can be approved or declined',
    { short: 'with' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openNewMember({ javaScriptEnabled });
      for (const decision of ['decline', 'approve'] as const) {
        await openCheckout(page, 'three_exports', { javaScriptEnabled });
        await page.getByRole('button', { name: 'Pay $' }).click();
        await payWith(page, 'bank');
        await answer(page, decision);
        if (decision === 'decline') await page.getByRole('alert').waitFor();
        else await page.waitForURL('**/account/limits');
      }
      expect((await account.me()).availableCredits).toBe(3);
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript('by wallet: a pack', { short: 'without' }, async (javaScriptEnabled) => {
    const { page, account, expectNoErrors, close } = await openNewMember({ javaScriptEnabled });
    await page.goto('/upgrade');
    await page.getByRole('link', { name: 'Buy: 20 downloads' }).click();
    await page.getByRole('button', { name: 'Pay with PayPal' }).click();
    await answer(page, 'approve');
    await page.waitForURL('**/account/limits');
    expect((await account.me()).availableCredits).toBe(20);
    expectNoErrors();
    await close();
  });

  itWithAndWithoutJavaScript(
    'a guest who buys more than one download logs in on the way',
    { short: 'neither' },
    async (javaScriptEnabled) => {
      const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled });
      await page.goto('/upgrade');
      await page.getByRole('link', { name: 'Buy: 3 downloads' }).click();
      await page.waitForURL(/\/login\?returnTo=%2Fcheckout/);
      await signIn(page, product.url, newEmail());
      await page.reload();
      await page.waitForURL('**/checkout?*');
      await page.getByRole('heading', { name: '3 downloads' }).waitFor();
      expectNoErrors();
      await close();
    },
  );
});

it('a double click, a reload and a second tab pay once', async () => {
  const { page, account, close } = await openNewMember();
  await page.goto('/upgrade');
  await page.getByRole('link', { name: 'Buy: 3 downloads' }).click();
  await page.getByRole('button', { name: 'Pay $' }).dblclick();
  await page.waitForURL('**/api/sandbox/pages/checkout?*');
  const back = page.waitForRequest((request) => request.url().includes('/checkout/return?'));
  await payWith(page, 'good');
  const returned = (await back).url();
  await page.waitForURL('**/account/limits');
  await page.goto(returned);
  await page.waitForURL('**/account/limits');
  expect((await account.me()).availableCredits).toBe(3);
  await close();
});

itInLongRun('completes a payment whose return is to another page, and cleans the address', async () => {
  const { page, account, expectNoErrors, close } = await openNewMember();
  await page.goto('/upgrade');
  await page.getByRole('link', { name: 'Buy: 3 downloads' }).click();
  await page.getByRole('button', { name: 'Pay $' }).click();
  await page.route(
    '**/checkout/return?*',
    (route) => {
      const { search } = new URL(route.request().url());
      return route.fulfill({ status: 303, headers: { location: `/terms${search}` } });
    },
    { times: 1 },
  );
  await payWith(page, 'good');
  await page.waitForURL('**/account/limits');
  await expect.poll(() => new URL(page.url()).search).toBe('');
  expect((await account.me()).availableCredits).toBe(3);
  expectNoErrors();
  await close();
});
