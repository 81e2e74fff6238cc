import { describe, it } from 'vitest';
import { useBrowser } from '../../support/browser/browser.ts';
import { expectSampleAccessible, PAGE_GROUPS } from '../../support/pages/accessible-pages.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';

const product = sharedProduct();
const browser = useBrowser();

// Each page in one appearance, in turns; accessibility.long.test.ts checks all.
describe('has no accessibility violations and no horizontal overflow', () => {
  it.each(PAGE_GROUPS)('$name', async (group) => {
    await expectSampleAccessible(browser(), product.url, group);
  });
});
