import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { itInLongRun, itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { startProxy, startWeb } from '../../support/product/services.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const isLive = (page: Page) => page.waitForSelector('html[data-live]');
const backgroundOf = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
const themeOf = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.documentElement.getAttribute('data-theme'));

describe('the version parameter', () => {
  itWithAndWithoutJavaScript(
    'is preserved by links, forms and redirects',
    { short: 'with' },
    async (javaScriptEnabled) => {
      const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
        javaScriptEnabled,
        expectedStatus: 404,
      });
      await page.goto('/nothing-here/?v=spring');
      for (const link of await page.locator('header a, footer a, main a[href^="/"]').all()) {
        await expect.poll(() => link.getAttribute('href')).toContain('v=spring');
      }
      await page.goto('/?v=spring');
      if (javaScriptEnabled) await isLive(page);
      await page.getByRole('navigation').getByRole('link', { name: 'FAQ' }).first().click();
      await page.waitForURL('**/help?v=spring#faq');
      await page.getByRole('link', { name: 'Clearframe, home' }).click();
      await page.waitForURL('**/?v=spring');
      await page.goto('/language?v=spring&from=%2Fabout%2Ffiles');
      if (javaScriptEnabled) await isLive(page);
      await page.getByRole('button', { name: 'English' }).click();
      await page.waitForURL('**/about/files?v=spring');
      await page.getByRole('button', { name: 'Dark' }).first().click();
      await expect.poll(() => themeOf(page)).toBe('dark');
      await expect.poll(() => new URL(page.url()).search).toBe('?v=spring');
      expectNoErrors();
      await close();
    },
  );
});

itWithAndWithoutJavaScript(
  'the header links to pricing and help, the footer also to contact and the FAQ',
  { short: 'without' },
  async (javaScriptEnabled) => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
      javaScriptEnabled,
      viewport: { width: 1280, height: 800 },
    });
    await page.goto('/');
    const addresses = (part: string) =>
      page.locator(`${part} nav a`).evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(await addresses('header')).toEqual(['/pricing', '/help']);
    const footer = await addresses('footer');
    expect(footer).toEqual(expect.arrayContaining(['/pricing', '/help', '/help/contact', '/help#faq']));
    for (const address of footer) {
      const response = await page.request.get(`${address}`);
      expect([address, response.status()]).toEqual([address, 200]);
    }
    expectNoErrors();
    await close();
  },
);

describe('the color theme', () => {
  it('follows the device', async () => {
    const backgrounds = new Set<string>();
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, close } = await openPage(browser(), product.url, { colorScheme, javaScriptEnabled: false });
      await page.goto('/');
      await expect.poll(() => themeOf(page)).toBeNull();
      await page
        .getByRole('button', { name: text('common:theme.system'), pressed: true })
        .first()
        .waitFor();
      backgrounds.add(await backgroundOf(page));
      await close();
    }
    expect(backgrounds.size).toBe(2);
  });

  itWithAndWithoutJavaScript('keeps the chosen theme', { short: 'with' }, async (javaScriptEnabled) => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
      colorScheme: 'light',
      javaScriptEnabled,
    });
    await page.goto('/about/files');
    if (javaScriptEnabled) await isLive(page);
    const light = await backgroundOf(page);
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.getByRole('button', { name: 'Dark', pressed: true }).waitFor();
    await expect.poll(() => backgroundOf(page)).not.toBe(light);
    await expect.poll(() => new URL(page.url()).pathname).toBe('/about/files');
    await expect
      .poll(async () => (await page.context().cookies()).some(({ name }) => name === 'clearframe_theme'))
      .toBe(true);

    const response = await page.goto('/');
    expect(await response?.text()).toMatch(/<html[^>]* data-theme="dark"/);
    await expect.poll(() => backgroundOf(page)).not.toBe(light);
    if (javaScriptEnabled) await isLive(page);
    await page.getByRole('button', { name: text('common:theme.system') }).click();
    await expect.poll(() => themeOf(page)).toBeNull();
    expectNoErrors();
    await close();
  });

  it('rejects other values', async () => {
    for (const body of ['theme=neon', '', 'theme=dark&theme=neon&x='.repeat(900)]) {
      const response = await fetch(`${product.url}/theme`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
      });
      expect([413, 422, 400]).toContain(response.status);
      expect(response.headers.getSetCookie().join()).not.toContain('clearframe_theme');
    }
    const away = await fetch(`${product.url}/theme`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ theme: 'dark', from: '//elsewhere.example/' }),
    });
    expect(away.headers.get('location')).toBe('/');
  });
});

describe('keyboard', () => {
  it('starts with a link that skips the header', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url);
    await page.goto('/');
    await isLive(page);
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await expect.poll(() => skip.evaluate((link) => link === document.activeElement)).toBe(true);
    await expect.poll(async () => (await skip.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
    expectNoErrors();
    await close();
  });

  it('moves the focus into the new page after a navigation', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url);
    await page.goto('/');
    await isLive(page);
    await page.getByRole('link', { name: text('home:plans.link') }).press('Enter');
    await page.waitForURL('**/pricing');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
    // For search engines.
    await expect.poll(() => page.locator('meta[name=description]').count()).toBe(1);
    expectNoErrors();
    await close();
  });
});

describe('errors and interruptions', () => {
  it('reloads a page restored from the back/forward cache', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url);
    await page.goto('/about/photo');
    await isLive(page);
    await page.evaluate(() => document.body.setAttribute('data-mark', ''));
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false })));
    await expect.poll(() => page.locator('body[data-mark]').count()).toBe(1);
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    await page.locator('body:not([data-mark])').waitFor();
    expectNoErrors();
    await close();
  });

  it('shows a notice while the browser is offline', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url);
    await page.goto('/');
    await isLive(page);
    await page.context().setOffline(true);
    await page.getByText(/^You're offline/).waitFor();
    await page.context().setOffline(false);
    await page.getByText(/^You're offline/).waitFor({ state: 'detached' });
    expectNoErrors();
    await close();
  });

  it('keeps the page while the browser is offline, and goes on to the last choice afterwards', async () => {
    const { page, close } = await openPage(browser(), product.url);
    await page.goto('/terms');
    await isLive(page);
    await page.context().setOffline(true);
    await page.getByText(/^You're offline/).waitFor();
    for (const name of ['Help', 'API'])
      await page.getByRole('contentinfo').getByRole('link', { name, exact: true }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/terms');
    await page.context().setOffline(false);
    await page.waitForURL('**/developers');
    await page.getByRole('heading', { level: 1, name: text('support:developers.sections.quick-start') }).waitFor();
    await close();
  });

  it('answers an unknown address with the 404 page', async () => {
    const { page, close } = await openPage(browser(), product.url, { expectedStatus: 404 });
    for (const address of ['/no/such/page', '/theme', '/ui/modals/no-such']) {
      expect((await page.goto(address))?.status()).toBe(404);
      await page.getByRole('heading', { level: 1, name: text('common:notFound.title') }).waitFor();
      await page.getByRole('banner').waitFor();
      await page.getByRole('contentinfo').waitFor();
      await isLive(page);
    }
    await close();
  });

  itInLongRun('shows an internal error with the contact address and the event id', async () => {
    // Other files use the shared api.
    const proxy = await startProxy(product.apiUrl);
    const web = await startWeb(product, { API_URL: proxy.url });
    try {
      const { page, close } = await openPage(browser(), web.url);
      // The first page creates a guest; without one the api is not called.
      await page.goto('/');
      await proxy.cut();
      const response = await page.goto('/result?taskId=6f7d2c0b-9aa6-4a2b-bcbd-a6a2b0974326');
      expect(response?.status()).toBeGreaterThanOrEqual(500);
      await page.getByRole('heading', { level: 1, name: 'Something went wrong' }).waitFor();
      const id = (await page.getByText(/^Event ID: /).textContent())?.replace('Event ID: ', '');
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      const contact = await page.getByRole('main').getByRole('link', { name: 'Contact us' }).getAttribute('href');
      expect(contact).toBe(`/help/contact?source=error&event=${id}`);
      await page.getByRole('link', { name: 'Try again' }).waitFor();
      await close();
    } finally {
      await web.stop();
    }
  });
});
