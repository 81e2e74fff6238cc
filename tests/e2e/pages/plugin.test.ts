import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

itWithAndWithoutJavaScript(
  'the guide leads to the plug-in, whose package is the one that installed panels are offered',
  { short: 'without' },
  async (javaScriptEnabled) => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled });
    await page.goto('/developers?v=b');
    await page.getByRole('main').locator('a[href^="/plugin"]').first().click();
    await page.waitForURL('**/plugin*');
    const address = await page.getByRole('link', { name: text('plugin:page.download') }).getAttribute('href');
    const file = await page.request.get(`${product.url}${address}`);
    expect(file.headers()['content-disposition']).toMatch(/^attachment; filename="clearframe-[\d.]+\.ccx"$/);
    const content = await file.body();
    const offered = await page.request.get('/plugin/latest.json');
    expect(await offered.json()).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      url: `${product.url}/plugin/clearframe.ccx`,
      size_bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    expectNoErrors();
    await close();
  },
);
