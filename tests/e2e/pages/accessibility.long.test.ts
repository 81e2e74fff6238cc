import { LOCALES, languageTagOf } from '@clearframe/contract';
import { beforeAll, describe, it } from 'vitest';
import { APPEARANCES, expectNoOverflow } from '../../support/browser/accessibility.ts';
import { expectGroupAccessible, PAGE_GROUPS, type Prepared } from '../../support/browser/accessible-pages.ts';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';

const product = sharedProduct();
const browser = useBrowser();

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
  it.each(LOCALES.map(languageTagOf))('nothing overflows in %s', async (locale) => {
    const viewport = { width: 320, height: 640 };
    const { page, close } = await openPage(browser(), product.url, { locale, viewport, javaScriptEnabled: false });
    for (const address of ['/', '/upgrade', '/login', '/account/general', '/terms', '/subscription/cancel']) {
      await page.goto(address);
      await expectNoOverflow(page);
    }
    await close();
  });
});
