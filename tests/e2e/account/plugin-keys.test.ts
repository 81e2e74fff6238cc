import { randomUUID } from 'node:crypto';
import { enhanceRoutes, pathOf, pluginKeyRoutes } from '@clearframe/contract';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../support/api-client.ts';
import { untilToast } from '../../support/browser/brief.ts';
import { useBrowser } from '../../support/browser/browser.ts';
import { itInLongRun, itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { isFormPost } from '../../support/browser/network.ts';
import { type Member, openMember } from '../../support/members.ts';
import { SMALL_PICTURE, smallPicture } from '../../support/payments/checkout.ts';
import { subscribe } from '../../support/payments/purchases.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { until } from '../../support/product/until.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const TAB = '/account/plugin-key';
/** More than an account may have. */
const TOO_MANY = 11;

async function openBusiness(options: Parameters<typeof openMember>[2] = {}): Promise<Member> {
  const member = await openMember(browser(), product.url, options);
  await subscribe(member.account, 'business');
  return member;
}

const keysOf = async (account: ApiClient) => (await account.call(pluginKeyRoutes.listPluginKeys, { query: {} })).data;
const newKey = (page: Page) => page.getByLabel(text('account:pluginKey.new.title'));
const createButton = (page: Page) => page.getByRole('button', { name: text('account:pluginKey.create') });
const offer = (page: Page) => page.getByRole('dialog', { name: text('account:pluginKey.offer.title') });
const tab = (page: Page) => page.getByRole('dialog').getByRole('heading', { name: text('account:pluginKey.title') });
const pathOfPage = (page: Page) => new URL(page.url()).pathname;

/** Everything that the browser stores for the page. */
async function storedBy(page: Page): Promise<string> {
  const inPage = await page.evaluate(() =>
    JSON.stringify([window.location.href, window.history.state, { ...localStorage }, { ...sessionStorage }]),
  );
  return inPage + JSON.stringify(await page.context().cookies());
}

describe('a key for the plug-in', () => {
  itWithAndWithoutJavaScript(
    'is shown once, stored nowhere, and can be revoked',
    { short: 'without' },
    async (javaScriptEnabled) => {
      const { page, account, expectNoErrors, close } = await openBusiness({ javaScriptEnabled });
      await page.goto(`${TAB}?v=b`);
      if (javaScriptEnabled) await untilHydrated(page);
      await page.getByText(text('account:pluginKey.none')).waitFor();
      const answered = page.waitForResponse((response) => isFormPost(response.request()));
      await createButton(page).click();
      expect((await answered).headers()['cache-control']).toContain('no-store');
      const key = await newKey(page).inputValue();
      expect(key).toMatch(/^cfk_live_[\w-]{43}$/);
      const [stored] = await keysOf(account);
      expect(key.startsWith(stored?.prefix ?? '?')).toBe(true);
      await page.getByRole('main').getByText(`${stored?.prefix}…`).waitFor();
      await expect.poll(() => storedBy(page)).not.toContain(key);

      // Sends the form again without JavaScript.
      await page.reload();
      await page.getByText(text('account:pluginKey.neverUsed')).waitFor();
      expect(await keysOf(account)).toHaveLength(1);
      await page.goto(`${TAB}?v=b`);
      await page.getByText(text('account:pluginKey.neverUsed')).waitFor();
      await expect.poll(() => newKey(page).count()).toBe(0);
      expect(await page.content()).not.toContain(key);

      if (javaScriptEnabled) await untilHydrated(page);
      const revoke = page.getByRole('link', { name: `Revoke ${stored?.prefix}…` });
      await revoke.click();
      await page.getByText("This can't be undone.").waitFor();
      const choice = javaScriptEnabled
        ? page.getByRole('dialog').getByRole('button')
        : page.getByRole('main').getByRole('link');
      await choice.filter({ hasText: text('account:pluginKey.revoke.keep') }).click();
      await page.waitForURL(`**${TAB}?v=b`);
      expect(await keysOf(account)).toHaveLength(1);
      await revoke.click();
      await page.getByRole('button', { name: text('account:pluginKey.revoke.confirm') }).click();
      await page.getByText(text('account:pluginKey.none')).waitFor();
      await page.waitForURL(`**${TAB}?v=b`);
      expect(await keysOf(account)).toEqual([]);
      expectNoErrors();
      await close();
    },
  );

  it('enhances a picture in one request, which may be repeated', async () => {
    const { account, close } = await openBusiness();
    const { key } = await account.call(pluginKeyRoutes.createPluginKey, { body: {} });
    const query = new URLSearchParams({ format: 'png', pipeline: '{"upscale":{"factor":1}}' });
    const address = `${product.url}${pathOf(enhanceRoutes.createEnhancement)}?${query}`;
    const headers = {
      'x-api-key': key,
      prefer: 'wait=60',
      'idempotency-key': randomUUID(),
      'content-type': 'image/jpeg',
    };
    const body = new Uint8Array(await smallPicture());
    const answer = await until('the picture is enhanced', async () => {
      const response = await fetch(address, { method: 'POST', headers, body });
      if (response.status === 200) return response;
      // A busy worker takes longer than the wait; a repetition waits for the same picture.
      expect(response.status).toBe(202);
      return response.arrayBuffer().then(() => null);
    });
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('content-disposition')).toContain('attachment');
    const picture = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    expect(picture).toMatchObject({ format: 'png', ...SMALL_PICTURE });
    await close();
  });

  itWithAndWithoutJavaScript(
    'is refused over the limit, with the reason',
    { short: 'neither' },
    async (javaScriptEnabled) => {
      const { page, account, close } = await openBusiness({ javaScriptEnabled });
      for (let count = 1; count < TOO_MANY; count += 1)
        await account.call(pluginKeyRoutes.createPluginKey, { body: {} });
      await page.goto(TAB);
      if (javaScriptEnabled) await untilHydrated(page);
      await createButton(page).click();
      await page.getByRole('alert').getByText(text('common:errors.plugin_keys.limit_reached')).waitFor();
      await expect.poll(() => pathOfPage(page)).toBe(TAB);
      await expect.poll(() => newKey(page).count()).toBe(0);
      await close();
    },
  );

  itInLongRun('is created in the dialog, copied, and revoked over it', async () => {
    const { page, account, expectNoErrors, close } = await openBusiness({
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto('/about/files');
    await page.goto('/');
    await untilHydrated(page);
    await page.locator('header').getByRole('link', { name: 'account' }).click();
    await page
      .getByRole('dialog')
      .getByRole('tab', { name: text('account:pluginKey.title') })
      .click();
    await tab(page).waitFor();
    await expect.poll(() => pathOfPage(page)).toBe(TAB);
    await createButton(page).press('Enter');
    const key = await newKey(page).inputValue();
    await expect.poll(() => newKey(page).evaluate((field) => field === document.activeElement)).toBe(true);
    await untilToast(page, text('account:pluginKey.new.copied'), () =>
      page.getByRole('button', { name: text('account:pluginKey.new.copy') }).click(),
    );
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(key);
    await expect.poll(() => storedBy(page)).not.toContain(key);

    // Another one: each form creates its own.
    await createButton(page).click();
    await expect.poll(async () => newKey(page).inputValue()).not.toBe(key);
    const [second, first] = await keysOf(account);
    expect(key.startsWith(first?.prefix ?? '?')).toBe(true);

    await page.getByRole('link', { name: `Revoke ${second?.prefix}…` }).press('Enter');
    const confirmation = page.getByRole('dialog', { name: text('account:pluginKey.revoke.title') });
    await confirmation.getByRole('button', { name: text('account:pluginKey.revoke.confirm') }).click();
    await confirmation.waitFor({ state: 'detached' });
    await tab(page).waitFor();
    // The new key was the one revoked.
    await newKey(page).waitFor({ state: 'detached' });
    expect((await keysOf(account)).map(({ id }) => id)).toEqual([first?.id]);
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true);
    expectNoErrors();
    await close();
  });

  itInLongRun('can be tried again when the request fails', async () => {
    const { page, account, close } = await openBusiness();
    await page.goto(TAB);
    await untilHydrated(page);
    // The answer is lost, not the request.
    await page.route('**/account/plugin-key/keys', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await createButton(page).click();
    await page.getByRole('alert').getByText(text('common:errors.service.unavailable')).waitFor();
    await page.unroute('**/account/plugin-key/keys');
    await createButton(page).click();
    await expect.poll(() => newKey(page).inputValue()).toMatch(/^cfk_/);
    expect(await keysOf(account)).toHaveLength(1);
    await close();
  });

  it('is a test key where the plan has no live ones', async () => {
    const { page, account, close } = await openMember(browser(), product.url, { javaScriptEnabled: false });
    await subscribe(account, 'personal');
    await page.goto(TAB);
    await createButton(page).click();
    await expect.poll(() => newKey(page).inputValue()).toMatch(/^cfk_test_[\w-]{43}$/);
    await page.getByRole('list').getByText(text('account:pluginKey.kind.test'), { exact: true }).waitFor();
    const form = { requestId: crypto.randomUUID(), kind: 'live' };
    const answer = await page.request.post(`${product.url}${TAB}`, { form });
    expect(answer.status()).toBe(403);
    expect(await answer.text()).toContain(text('common:errors.plugin_keys.not_in_plan'));
    expect((await page.request.post(`${product.url}/account/general`, { form })).status()).toBe(404);
    expect((await page.request.post(`${product.url}${TAB}`, { form: { requestId: '1' } })).status()).toBe(422);
    await close();
  });

  itInLongRun('is offered after an upgrade to Business, in the account', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    await subscribe(account, 'personal');
    await page.goto('/upgrade/confirm?priceId=sbx_price_business_weekly_usd');
    await page.getByRole('button', { name: 'Upgrade now' }).click();
    await offer(page).getByRole('button', { name: 'Later', exact: true }).waitFor();
    await expect.poll(() => pathOfPage(page)).toBe('/account/plugin-key/offer');
    await offer(page).getByRole('button', { name: 'Retrieve it' }).click();
    await tab(page).waitFor();
    await until('the dialog has its address', async () => pathOfPage(page) === TAB);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForURL('**/account/subscription');
    expectNoErrors();
    await close();
  });
});
