import { LOCALES, languageTagOf } from '@clearframe/contract';
import { describe, it } from 'vitest';
import { APPEARANCES, expectNoOverflow } from '../../support/browser/accessibility.ts';
import { expectGroupAccessible, PAGE_GROUPS } from '../../support/browser/accessible-pages.ts';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';

const product = sharedProduct();
const browser = useBrowser();

describe.each(APPEARANCES)(
  'in $locale, $colorScheme, has no accessibility violations and no horizontal overflow',
  (appearance) => {
    it.each(PAGE_GROUPS)('$name', async (group) => {
      await expectGroupAccessible(browser(), product.url, group, { appearances: [appearance] });
    });
  },
);

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
