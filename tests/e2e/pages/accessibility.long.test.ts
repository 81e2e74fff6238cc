import { LOCALES, languageTagOf } from '@clearframe/contract';
import type { BrowserContext } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { APPEARANCES, expectNoOverflow } from '../../support/browser/accessibility.ts';
import { openPage, storeLanguage, useBrowser, type WatchedPage } from '../../support/browser/browser.ts';
import { visitorOf } from '../../support/members.ts';
import { expectGroupAccessible, PAGE_GROUPS, type Prepared } from '../../support/pages/accessible-pages.ts';
import { blurredFace } from '../../support/portrait.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';

const product = sharedProduct();
const browser = useBrowser();

const ADDRESSES = ['/', '/upgrade', '/login', '/account/general', '/terms', '/subscription/cancel'];

/** A visitor with a result. */
let guest: { readonly storageState: StorageState; readonly result: string };
beforeAll(async () => {
  const { page, close } = await openPage(browser(), product.url);
  const taskId = await (await visitorOf(page)).enhance(await blurredFace(120), 'grandmother.jpg');
  guest = { storageState: await page.context().storageState(), result: `/result?taskId=${taskId}` };
  await close();
});
type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

describe.each(PAGE_GROUPS)('$name', ({ prepare, widths }) => {
  let prepared: Prepared;
  beforeAll(async () => {
    prepared = await prepare(product.url);
  });

  it.each(APPEARANCES)(
    'has no accessibility violations and no horizontal overflow in $locale, $colorScheme',
    (appearance) => expectGroupAccessible(browser(), product.url, prepared, { widths, appearance }),
  );
});

describe('on the smallest phones', () => {
  // Shared by the languages: a context takes a sixth of a second, and loads styles and scripts again.
  const pages: WatchedPage[] = [];
  beforeAll(async () => {
    const options = { viewport: { width: 320, height: 640 }, storageState: guest.storageState };
    for (const javaScriptEnabled of [false, true])
      pages.push(await openPage(browser(), product.url, { ...options, javaScriptEnabled }));
  });

  it.each(LOCALES.map(languageTagOf))('nothing overflows in %s', async (locale) => {
    for (const [index, { page }] of pages.entries()) {
      await storeLanguage(page, product.url, locale);
      for (const address of index === 0 ? [...ADDRESSES, guest.result] : [guest.result]) {
        await page.goto(address);
        await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(locale);
        await expectNoOverflow(page);
      }
    }
  });
});

// German has long words, Japanese none to break at.
describe.each(['de', 'ja'])('in %s', (locale) => {
  it('nothing overflows on phones, tablets and desktops', async () => {
    const options = { locale, storageState: guest.storageState };
    const { page, close } = await openPage(browser(), product.url, options);
    for (const address of [...ADDRESSES, '/pricing', '/history', guest.result]) {
      await page.goto(address);
      for (const width of [390, 768, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await expectNoOverflow(page);
      }
    }
    await close();
  });
});
