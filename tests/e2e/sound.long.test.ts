import { LOCALES, languageTagOf } from '@clearframe/contract';
import { describe, it } from 'vitest';
import { openPage, useBrowser } from '../support/browser.ts';
import { sharedProduct } from '../support/shared-product.ts';
import { expectNothingSideways, LOOKS } from '../support/sound.ts';
import { expectGroupSound, PAGE_GROUPS } from '../support/sound-pages.ts';

const product = sharedProduct();
const browser = useBrowser();

describe.each(LOOKS)('in $locale, $colorScheme, accessible, and nothing sticks out', (look) => {
  it.each(PAGE_GROUPS)('$name', async (group) => {
    await expectGroupSound(browser(), product.url, group, { looks: [look] });
  });
});

describe('on the smallest phones', () => {
  it.each(LOCALES.map(languageTagOf))('nothing sticks out in %s', async (locale) => {
    const viewport = { width: 320, height: 640 };
    const { page, close } = await openPage(browser(), product.url, { locale, viewport, javaScriptEnabled: false });
    for (const address of ['/', '/upgrade', '/login', '/account/general', '/terms', '/subscription/cancel']) {
      await page.goto(address);
      await expectNothingSideways(page);
    }
    await close();
  });
});
