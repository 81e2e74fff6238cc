import { gzipSync } from 'node:zlib';
import type { Response, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { itInLongRun, sampleOf } from '../../support/browser/javascript.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';

/** Script budget, gzipped bytes. */
const SCRIPT_BUDGET = 123_000;

/** Time after which scripts no longer wait for a picture. */
const LONGEST_WAIT_MS = 3_000;

const product = sharedProduct();
const browser = useBrowser();

describe('the landing page', () => {
  it('keeps its scripts within the budget and loads modal code with the first modal', async () => {
    const { page, close } = await openPage(browser(), product.url, { asksForCookies: true });
    const scripts: Response[] = [];
    page.on('response', (response) => {
      if (response.headers()['content-type']?.includes('javascript')) scripts.push(response);
    });
    const addresses = () => scripts.map((script) => script.url()).join();
    await page.goto('/', { waitUntil: 'networkidle' });
    await page.locator('html[data-live]').waitFor();
    const bodies = await Promise.all(scripts.map((script) => script.body()));
    const sizes = bodies.map((body) => gzipSync(body, { level: 9 }).length);
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(SCRIPT_BUDGET);

    expect(addresses()).not.toMatch(/modal-stack-view/);
    await page.getByRole('link', { name: 'What happens to your photo' }).click();
    await page.getByRole('dialog').waitFor();
    await expect.poll(addresses).toMatch(/modal-stack-view/);
    await close();
  });

  itInLongRun('becomes interactive although it is pressed while it is hydrated', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url);
    await page.addInitScript(() => {
      // React divides its work by messages, too: presses come between any two parts of it.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        if (document.documentElement?.dataset.live) return;
        document.body?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
        port2.postMessage(null);
      };
      port2.postMessage(null);
    });
    await page.goto('/');
    await page.locator('html[data-live]').waitFor();
    expectNoErrors();
    await close();
  });

  it('loads its scripts after the picture, or at the first key', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url);
    await page.goto('/');
    await page.locator('html[data-live]').waitFor();
    const { script, picture, latest } = await page.evaluate((longestWaitMs) => {
      const timings = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      const shown = document.querySelector<HTMLImageElement>('img[fetchpriority=high]')?.currentSrc;
      const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      return {
        script: Math.min(...timings.filter(({ name }) => name.endsWith('.js')).map(({ startTime }) => startTime)),
        // The picture may still be loading when the scripts no longer wait for it.
        picture: timings.find(({ name }) => name === shown)?.responseEnd ?? Number.POSITIVE_INFINITY,
        latest: (page?.domContentLoadedEventStart ?? Number.NaN) + longestWaitMs,
      };
    }, LONGEST_WAIT_MS);
    expect(script).toBeGreaterThanOrEqual(Math.min(picture, latest));
    expectNoErrors();
    await close();

    const slow = await openPage(browser(), product.url);
    const samples: Route[] = [];
    await slow.page.route('**/samples/*', (route) => void samples.push(route));
    await slow.page.goto('/', { waitUntil: 'domcontentloaded' });
    await slow.page.keyboard.press('Tab');
    await slow.page.locator('html[data-live]').waitFor();
    await Promise.all(samples.map((route) => route.abort()));
    await slow.close();
  });

  it('has a preview picture, an icon and a manifest', async () => {
    const html = await (await fetch(product.url)).text();
    const links = /(?:og:image" content|apple-touch-icon" href|manifest" href)="([^"]+)"/g;
    const addresses = [...html.matchAll(links)].map(([, address = '']) => new URL(address, product.url));
    expect(addresses).toHaveLength(3);
    for (const address of addresses) {
      const answer = await fetch(address);
      expect(answer.status, address.href).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^image\/|manifest\+json/);
    }
  });

  it.each(sampleOf([390, 1440]))('has no layout shift at %s pixels', async (width) => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
      viewport: { width, height: 900 },
      asksForCookies: true,
    });
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push('value' in entry ? Number(entry.value) : 0);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto('/', { waitUntil: 'networkidle' });
    await page.locator('html[data-live]').waitFor();
    await expect.poll(() => page.evaluate(() => ('shifts' in window ? window.shifts : null))).toEqual([]);
    expectNoErrors();
    await close();
  });
});
