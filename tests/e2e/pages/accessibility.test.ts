import { describe, it } from 'vitest';
import { LOOKS } from '../../support/browser/accessibility.ts';
import { expectGroupAccessible, PAGE_GROUPS } from '../../support/browser/accessible-pages.ts';
import { useBrowser } from '../../support/browser/browser.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';

const product = sharedProduct();
const browser = useBrowser();

// Each page in one look, in turns; accessibility.long.test.ts judges each page in each look.
describe('has no accessibility violations and no horizontal overflow', () => {
  it.each(PAGE_GROUPS)('$name', async (group) => {
    await expectGroupAccessible(browser(), product.url, group, { looks: LOOKS, sampled: true });
  });
});
