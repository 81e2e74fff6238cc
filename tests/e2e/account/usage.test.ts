import { pluginKeyRoutes } from '@clearframe/contract';
import { expect } from 'vitest';
import { useBrowser } from '../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { openMember } from '../../support/members.ts';
import { smallPicture } from '../../support/payments/checkout.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { until } from '../../support/product/until.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

itWithAndWithoutJavaScript(
  'a test key is made with a name and limits, and its usage and pictures are shown',
  { short: 'without' },
  async (javaScriptEnabled) => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, { javaScriptEnabled });
    const ready = () => (javaScriptEnabled ? untilHydrated(page) : Promise.resolve());
    await page.goto('/account/plugin-key');
    await ready();
    await page.getByText(text('account:pluginKey.options.title'), { exact: true }).click();
    await page.getByLabel(text('account:pluginKey.options.name'), { exact: true }).fill('Web shop');
    await page.getByLabel(text('account:pluginKey.options.perMonth')).fill('40');
    await page.getByRole('checkbox', { name: text('account:pluginKey.options.videos') }).uncheck();
    await page.getByRole('button', { name: text('account:pluginKey.create') }).click();
    const key = await page.getByLabel(text('account:pluginKey.new.title')).inputValue();
    await page.getByText('Web shop').waitFor();
    const [made] = (await account.call(pluginKeyRoutes.listPluginKeys, { query: {} })).data;
    expect(made).toMatchObject({
      name: 'Web shop',
      isTest: true,
      scopes: ['media:read', 'media:write'],
      limits: { perMonth: 40, perMinute: null },
    });

    const query = new URLSearchParams({ pipeline: '{"upscale":{"factor":1}}' });
    const body = new Uint8Array(await smallPicture());
    const headers = { 'x-api-key': key, prefer: 'wait=60', 'content-type': 'image/jpeg' };
    await until('the picture is enhanced', async () => {
      const response = await fetch(`${product.url}/api/v1/web/enhance?${query}`, { method: 'POST', headers, body });
      await response.arrayBuffer();
      return response.status === 200;
    });
    await page.goto('/account/usage?v=b');
    await ready();
    const main = page.getByRole('main');
    await main.getByRole('img', { name: /Photos: [1-9]/ }).waitFor();
    const row = main.getByRole('listitem').filter({ hasText: 'Web shop' });
    await row.getByText(text('account:pluginKey.test'), { exact: true }).waitFor();
    await row.getByText(/^\d+ of 40 used this month$/).waitFor();
    await main.getByText(text('usage:table'), { exact: true }).click();
    await main.getByRole('columnheader', { name: text('usage:measures.megapixels') }).waitFor();
    await main
      .getByRole('navigation', { name: text('usage:measures.label') })
      .getByRole('link', { name: text('usage:measures.failed') })
      .click();
    await page.waitForURL('**show=failed*');
    await main.getByRole('img', { name: /Failed: 0/ }).waitFor();

    // Another range has no usage.
    await main.getByLabel(text('usage:range.to'), { exact: true }).fill('2026-01-02');
    await main.getByLabel(text('usage:range.from'), { exact: true }).fill('2026-01-01');
    await main.getByRole('button', { name: text('usage:range.show') }).click();
    await page.waitForURL('**from=2026-01-01&to=2026-01-02*');
    await main.getByRole('img', { name: /Failed: 0 in 2 days/ }).waitFor();
    await expect.poll(() => main.getByText(text('usage:table'), { exact: true }).count()).toBe(0);

    await page.goto('/history');
    await page.getByRole('main').getByText(text('account:pluginKey.test'), { exact: true }).first().waitFor();
    await page.getByRole('main').getByRole('listitem').getByRole('link').first().click();
    await page.waitForURL('**/result?*');
    await page.getByText(text('result:testKey')).first().waitFor();
    expectNoErrors();
    await close();
  },
);
