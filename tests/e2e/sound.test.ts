import { describe, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { sharedProduct } from '../support/shared-product.ts';
import { LOOKS } from '../support/sound.ts';
import { expectGroupSound, PAGE_GROUPS } from '../support/sound-pages.ts';

const product = sharedProduct();
const browser = useBrowser();

// Each page in one look, in turns; sound.long.test.ts judges each page in each look.
describe('accessible, and nothing sticks out', () => {
  it.each(PAGE_GROUPS)('$name', async (group) => {
    await expectGroupSound(browser(), product.url, group, { looks: LOOKS, sampled: true });
  });
});
