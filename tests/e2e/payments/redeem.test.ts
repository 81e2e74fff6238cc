import { createHash, randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { openMember } from '../../support/members.ts';
import { environmentOf, withDatabase } from '../../support/product/database.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

/** Creates a code as `pnpm ops gift-codes create` does: valid once, for 30 days. */
async function newGiftCode(): Promise<string> {
  const code = randomUUID().replaceAll('-', '').toUpperCase();
  const hash = createHash('sha256').update(code).digest('hex');
  const { DATABASE_URL = '' } = await environmentOf(product, 'api');
  await withDatabase(DATABASE_URL, (client) =>
    client.query(
      `INSERT INTO gift_codes (id, code_hash, prefix, days, max_uses, uses, created_at)
       VALUES (gen_random_uuid(), $1, 'GIFT', 30, 1, 0, now())`,
      [hash],
    ),
  );
  return `GIFT-${code}`;
}

describe('redeeming', () => {
  itWithAndWithoutJavaScript(
    'a gift code in the address gives Business, once',
    { short: 'with' },
    async (javaScriptEnabled) => {
      // The refused code answers 404 and 409.
      const options = { javaScriptEnabled, expectedStatus: 404 };
      const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, options);
      const code = await newGiftCode();
      await page.goto(`/redeem?redeemCode=${code}`);
      if (javaScriptEnabled) await untilHydrated(page);
      const field = page.getByLabel(text('account:redeem.code'));
      await expect.poll(() => field.inputValue()).toBe(code);
      await field.fill('GIFT-NONE');
      const redeem = page.getByRole('button', { name: text('account:redeem.confirm') });
      await redeem.click();
      await page.getByText(text('common:errors.gift_codes.not_found')).waitFor();
      await expect.poll(() => field.inputValue()).toBe('GIFT-NONE');
      await field.fill(code);
      await redeem.click();
      const done = page.getByRole('heading', { name: text('account:redeem.done.title') });
      await done.waitFor();
      await expect.poll(() => page.getByRole('dialog').count()).toBe(javaScriptEnabled ? 1 : 0);
      await expect.poll(() => new URL(page.url()).pathname).toBe('/redeem/done');
      await page.reload();
      await done.waitFor();
      expect(await account.me()).toMatchObject({ role: 'business', giftCode: { isActive: true } });
      await page.getByRole('link', { name: text('account:redeem.done.account') }).click();
      await page.getByText(text('account:subscription.sources.gift')).waitFor();
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript(
    'empty fields have the same errors with and without JavaScript',
    { short: 'neither' },
    async (javaScriptEnabled) => {
      const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
        javaScriptEnabled,
        expectedStatus: 422,
      });
      await page.goto('/redeem');
      if (javaScriptEnabled) await untilHydrated(page);
      await page.getByRole('button', { name: text('account:mobile.link') }).click();
      await page.getByText(text('account:mobile.missing')).waitFor();
      await expect
        .poll(() => page.getByLabel(text('account:mobile.id')).evaluate((field) => field === document.activeElement))
        .toBe(true);
      await page.getByRole('button', { name: text('account:redeem.confirm') }).click();
      await page.getByText(text('account:redeem.missing')).waitFor();
      expectNoErrors();
      await close();
    },
  );

  itWithAndWithoutJavaScript(
    'the app’s subscription is linked from the account page',
    { short: 'neither' },
    async (javaScriptEnabled) => {
      const { page, account, email, expectNoErrors, close } = await openMember(browser(), product.url, {
        javaScriptEnabled,
      });
      const oracleBackendId = await account.subscribeInMobileApp(email);
      // Opened from the account, or by the app's link, which has the id.
      await page.goto('/account/subscription');
      await page.getByRole('link', { name: text('account:mobile.title') }).click();
      await page.waitForURL('**/redeem#app');
      await page.getByLabel(text('account:mobile.id')).fill(oracleBackendId);
      await page.getByRole('button', { name: text('account:mobile.link') }).click();
      await page.waitForURL(({ searchParams }) => searchParams.get('backend_id') === oracleBackendId);
      await page.getByRole('heading', { level: 1, name: text('account:mobile.title') }).waitFor();
      await page.getByRole('button', { name: text('account:mobile.link') }).click();
      await page.waitForURL(({ pathname }) => pathname === '/redeem/done');
      await page.getByText(text('account:redeem.done.mobile')).waitFor();
      expect((await account.me()).monetization).toMatchObject({ isSubscribed: true, subscriptionProvider: 'mobile' });
      await page.goto('/account/subscription');
      await page.getByText(text('account:subscription.sources.mobile')).waitFor();
      expectNoErrors();
      await close();
    },
  );
});
