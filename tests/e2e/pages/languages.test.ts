import { LOCALES, languageTagOf } from '@clearframe/contract';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectNoOverflow } from '../../support/browser/accessibility.ts';
import { openPage, storeLanguage, useBrowser } from '../../support/browser/browser.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';

const product = sharedProduct();
const browser = useBrowser();

const languageOf = (page: Page) => page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);

async function documentFor(headers: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(`${product.url}/about/files`, { headers });
}
const tagIn = (html: string): string | undefined => /<html lang="([^"]+)"/.exec(html)?.[1];

describe('language negotiation', () => {
  it.each([
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['pt-BR', 'pt-BR'],
    ['es', 'es-419'],
    ['es-MX', 'es-419'],
    ['es-419', 'es-419'],
    ['ar-EG', 'ar'],
    ['ja-JP', 'ja'],
    ['nl', 'en'],
    ['nl,fr;q=0.5', 'fr'],
    ['', 'en'],
  ])('a browser that accepts "%s" gets %s', async (wanted, given) => {
    expect(tagIn(await (await documentFor({ 'accept-language': wanted })).text())).toBe(given);
  });

  it('ignores a stored language that is not offered', async () => {
    const cookie = `clearframe_language=${encodeURIComponent(btoa(JSON.stringify('tlh')))}`;
    const response = await documentFor({ cookie, 'accept-language': 'fr' });
    expect(tagIn(await response.text())).toBe('fr');
  });

  it('sets Vary', async () => {
    const page = await documentFor({});
    expect(page.headers.get('vary')).toMatch(/Accept-Language.*Cookie/);
    expect(page.headers.get('cache-control')).toMatch(/private/);
    const loaded = await fetch(`${product.url}/about/files.data`);
    expect(loaded.headers.get('vary')).toMatch(/Accept-Language.*Cookie/);
    expect(loaded.headers.get('cache-control')).toMatch(/private/);
  });

  it('sends a page only its own message sections', async () => {
    const html = await (await fetch(`${product.url}/`)).text();
    const [, data = ''] = /<script id="document-data"[^>]*>(.*?)<\/script>/s.exec(html) ?? [];
    expect(Object.keys(JSON.parse(data).messages).sort()).toEqual(['common', 'footer', 'header', 'home']);
  });
});

describe('the language switch', () => {
  it('lists all fourteen languages by their own names', async () => {
    const { page, close } = await openPage(browser(), product.url, { javaScriptEnabled: false });
    await page.goto('/language');
    const offered = await page
      .locator('button[name="language"]')
      .evaluateAll((buttons) =>
        buttons.map((button) => [
          button.getAttribute('value'),
          button.textContent,
          button.querySelector('[lang]')?.getAttribute('lang'),
        ]),
      );
    expect(offered.map(([tag]) => tag)).toEqual(LOCALES.map(languageTagOf));
    for (const [tag, name, lang] of offered) {
      expect(lang).toBe(tag);
      const known = new Intl.DisplayNames([tag ?? 'en'], { type: 'language' }).of(tag ?? 'en') ?? '';
      expect(name?.toLowerCase()).toContain(known.toLowerCase().split(' ')[0]);
    }
    await close();
  });

  it('without JavaScript returns to the page and remembers the choice', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { javaScriptEnabled: false });
    await page.goto('/about/files?v=b');
    await page.getByRole('link', { name: /^Language/ }).click();
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.waitForURL('**/about/files?v=b');
    await expect.poll(() => languageOf(page)).toEqual(['de', 'ltr']);
    await page.getByText('2.048').waitFor();
    await page.goto('/');
    await expect.poll(() => languageOf(page)).toEqual(['de', 'ltr']);
    expectNoErrors();
    await close();
  });

  it('with JavaScript keeps the page and adds no history entry', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url);
    await page.goto('/about/photo');
    await page.goto('/about/files');
    await page.waitForSelector('html[data-live]');
    await page.getByRole('link', { name: /^Language/ }).click();
    await expect
      .poll(() => page.getByRole('button', { name: 'English' }).evaluate((button) => button === document.activeElement))
      .toBe(true);
    await page.getByRole('button', { name: 'العربية' }).click();
    await page.waitForSelector('html[lang="ar"][data-live]');
    await expect.poll(() => languageOf(page)).toEqual(['ar', 'rtl']);
    await expect.poll(() => new URL(page.url()).pathname).toBe('/about/files');
    await page.goBack();
    await page.waitForURL('**/about/photo');
    expectNoErrors();
    await close();
  });

  it('rejects other languages', async () => {
    for (const language of ['tlh', '', '../en']) {
      const response = await fetch(`${product.url}/language`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ language }),
      });
      expect(response.status).toBe(422);
      expect(response.headers.getSetCookie().join()).not.toContain('clearframe_language');
    }
  });
});

describe('right to left', () => {
  it('mirrors the page and the modal’s tabs', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
      locale: 'ar',
      viewport: { width: 1440, height: 900 },
    });
    await page.goto('/');
    await page.waitForSelector('html[data-live]');
    const middleOf = async (selector: string): Promise<number> => {
      const box = await page.locator(selector).first().boundingBox();
      if (!box) throw new Error(`${selector} is not on the screen`);
      return box.x + box.width / 2;
    };
    await expect.poll(() => middleOf('header a')).toBeGreaterThan(720);
    await expect.poll(() => middleOf('header a[href^="/language"]')).toBeLessThan(720);
    await page.locator('footer a[href^="/about/"]').first().click();
    await page.getByRole('dialog').waitFor();
    await expect
      .poll(() => middleOf('[role="tablist"]'))
      .toBeGreaterThan(await middleOf('[role="tabpanel"][data-state="active"]'));
    await expect.poll(() => middleOf('.modal > button')).toBeLessThan(720);
    expectNoErrors();
    await close();
  });
});

/** Languages with the longest links. */
const LONGEST = ['de', 'es-419', 'fr', 'it', 'ru', 'th', 'tr', 'vi'];

describe('the header', () => {
  it('keeps its links on one line at each width that shows them', async () => {
    const { page, close } = await openPage(browser(), product.url, { javaScriptEnabled: false });
    /** The width of the layout, and on how many lines each link is. */
    const layout = () =>
      page.locator('header nav a:visible').evaluateAll(async (links) => {
        // Until then a wider font may stand in.
        await document.fonts.ready;
        const linesOf = (link: Element) => {
          const text = document.createRange();
          text.selectNodeContents(link);
          return new Set([...text.getClientRects()].map(({ top }) => Math.round(top))).size;
        };
        return [document.documentElement.clientWidth, ...new Set(links.map(linesOf))];
      });
    for (const locale of LONGEST) {
      await storeLanguage(page, product.url, locale);
      await page.goto('/');
      await expect.poll(() => languageOf(page)).toEqual([locale, 'ltr']);
      for (const width of [768, 1024, 1280]) {
        await page.setViewportSize({ width, height: 640 });
        await expectNoOverflow(page);
        expect([locale, ...(await layout())]).toEqual([locale, width, 1]);
      }
    }
    await close();
  });
});

describe('pages', () => {
  // Long words, long sentences, right to left; accessibility.long.test.ts checks all languages.
  it('fit 320 pixels and a zoom of 400 %', async () => {
    const viewport = { width: 320, height: 640 };
    const { page, close } = await openPage(browser(), product.url, { viewport, javaScriptEnabled: false });
    for (const [locale, direction] of [
      ['de', 'ltr'],
      ['vi', 'ltr'],
      ['ar', 'rtl'],
    ] as const) {
      await storeLanguage(page, product.url, locale);
      for (const address of ['/', '/upgrade']) {
        await page.goto(address);
        await expect.poll(() => languageOf(page)).toEqual([locale, direction]);
        await expectNoOverflow(page);
      }
    }
    await close();
  });
});
