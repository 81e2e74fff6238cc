import { expect } from 'vitest';
import { bytesOf, openPage, useBrowser } from '../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { openMember, visitorOf } from '../../support/members.ts';
import { FOR_SALE, smallPicture } from '../../support/payments/checkout.ts';
import { subscribe } from '../../support/payments/purchases.ts';
import { environmentOf, withDatabase } from '../../support/product/database.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

async function runSql(statement: string, userId: string): Promise<void> {
  const { DATABASE_URL = '' } = await environmentOf(product, 'api');
  await withDatabase(DATABASE_URL, (client) => client.query(statement, [userId]));
}

/** Gives a subscriber Business beside the plan, as after a purchase in two tabs that a provider reported late. */
const SECOND_SUBSCRIPTION = `INSERT INTO subscriptions (id, user_id, provider, provider_id, customer_id, price_id,
    asks_trial, status, currency, current_period_start, current_period_end, read_no, created_at)
  SELECT gen_random_uuid(), user_id, provider, gen_random_uuid()::text, customer_id, 'business_weekly_usd', false,
    'active', currency, current_period_start, current_period_end, 1e12::bigint, now()
  FROM subscriptions WHERE user_id = $1`;

const ALL_DOWNLOADS = `INSERT INTO export_uses (task_id, id, user_id, source, subscription_id, period_start, is_kept,
    created_at)
  SELECT gen_random_uuid(), gen_random_uuid(), user_id, 'period', id, current_period_start, true, now()
  FROM subscriptions, generate_series(1, 20) WHERE user_id = $1`;

itWithAndWithoutJavaScript(
  'two subscriptions at once are both shown, and each can be cancelled',
  { short: 'with' },
  async (javaScriptEnabled) => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
    await subscribe(account, 'personal');
    await runSql(SECOND_SUBSCRIPTION, (await account.me()).webUserId);
    await page.goto('/account/subscription');
    if (javaScriptEnabled) await untilHydrated(page);
    await page.getByText("You're paying for 2 subscriptions.").waitFor();
    await page.getByText(/Next charge: \$19\.99 on/).waitFor();
    await page.getByText(/Next charge: \$9\.99 on/).waitFor();
    const cancel = page.getByRole('link', { name: text('account:subscription.cancel') });
    await expect.poll(() => cancel.count()).toBe(2);
    await cancel.last().click();
    await page.getByRole('button', { name: text('account:cancel.confirm') }).click();
    await page.waitForURL('**/account/subscription');
    await page.getByText('Canceled. You keep access until').waitFor();
    // Only that one.
    await page.getByText(/Next charge: \$19\.99 on/).waitFor();
    await expect.poll(() => page.getByText("You're paying for 2 subscriptions.").count()).toBe(0);
    await expect.poll(() => cancel.count()).toBe(1);
    expectNoErrors();
    await close();
  },
);

itWithAndWithoutJavaScript(
  'an invoice is downloaded beside its receipt',
  { short: 'without' },
  async (javaScriptEnabled) => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
    await subscribe(account, 'personal');
    await page.goto('/account/purchases');
    const saving = page.waitForEvent('download');
    await page.getByRole('link', { name: text('account:purchases.invoice') }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toMatch(/^CF-\d{4}-\d{6}\.pdf$/);
    expect((await bytesOf(saved)).subarray(0, 5).toString()).toBe('%PDF-');
    expectNoErrors();
    await close();
  },
);

itWithAndWithoutJavaScript(
  'a reached limit names its reset date and offers Business',
  { short: 'without' },
  async (javaScriptEnabled) => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
    await subscribe(account, 'personal');
    await page.goto('/account/limits');
    await page.getByText('20 left').waitFor();
    await page.getByText(/^[\d,]+ MB left$/).waitFor();
    await page.getByText(/^[\d,]+ seconds left$/).waitFor();
    const bar = page.getByRole('progressbar').first();
    await expect.poll(() => bar.getAttribute('value')).toBe('0');
    await runSql(ALL_DOWNLOADS, (await account.me()).webUserId);
    await page.reload();
    if (javaScriptEnabled) await untilHydrated(page);
    await page.getByText(text('account:limits.reached'), { exact: true }).waitFor();
    await page.locator('time', { hasText: 'Resets on' }).first().waitFor();
    await page.getByRole('link', { name: text('account:limits.more') }).click();
    await page.getByRole('heading', { name: text('tiers:offer.downloads.title') }).waitFor();
    await page.getByText(/^Your downloads reset on/).waitFor();
    await page.getByRole('link', { name: 'Upgrade to Business' }).waitFor();
    expectNoErrors();
    await close();
  },
);

itWithAndWithoutJavaScript(
  'the paywall over a result switches the currency, and the page below agrees',
  { short: 'neither' },
  async (javaScriptEnabled) => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled });
    await page.goto('/about/files');
    const taskId = await (await visitorOf(page)).enhance(await smallPicture(), 'sea.jpg', FOR_SALE);
    await page.goto(`/result?taskId=${taskId}`);
    if (javaScriptEnabled) await untilHydrated(page);
    await page.getByRole('link', { name: text('result:plans') }).click();
    await page.getByRole('link', { name: text('tiers:paywall.others') }).click();
    await page
      .getByText('$25.99', { exact: true })
      .or(page.getByText('$9.99', { exact: true }))
      .first()
      .waitFor();
    await page.getByRole('button', { name: '€ EUR' }).click();
    await page.getByText('9,99€', { exact: true }).first().waitFor();
    await page.getByRole(javaScriptEnabled ? 'button' : 'link', { name: text('tiers:paywall.later') }).click();
    await page.getByRole('link', { name: text('result:pay', { price: '4,99€' }) }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/result');
    expectNoErrors();
    await close();
  },
);

itWithAndWithoutJavaScript(
  'a key for the plug-in is offered to Business only, and can be refused',
  { short: 'neither' },
  async (javaScriptEnabled) => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
    const address = '/account/plugin-key/offer?from=%2Fabout%2Ffiles';
    await page.goto(address);
    await expect.poll(() => new URL(page.url()).pathname).toBe('/account/general');
    await subscribe(account, 'business');
    await page.goto(address);
    await page.getByRole('heading', { level: 1, name: 'Your Photoshop plugin key' }).waitFor();
    const retrieval = page.getByRole('link', { name: 'Retrieve it' });
    await expect.poll(() => retrieval.getAttribute('href')).toBe('/account/plugin-key');
    await page.getByRole('link', { name: 'Later', exact: true }).click();
    await page.waitForURL('**/about/files');
    expectNoErrors();
    await close();
  },
);

itWithAndWithoutJavaScript(
  'a failed payment can be tried again with the same choices',
  { short: 'neither' },
  async (javaScriptEnabled) => {
    const { page, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
    await page.goto('/checkout?priceId=sbx_price_three_exports_usd&problem=payments.declined');
    await page
      .getByRole('alert')
      .getByRole('link', { name: text('common:tryAgain') })
      .click();
    await page.waitForURL('**/checkout?priceId=sbx_price_three_exports_usd');
    await page.getByRole('heading', { name: '3 downloads' }).waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    expectNoErrors();
    await close();
  },
);
