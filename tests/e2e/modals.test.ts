import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, openPage } from '../support/browser.ts';
import { sharedProduct } from '../support/shared-product.ts';

const product = sharedProduct();
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
});

const dialog = (page: Page) => page.getByRole('dialog');
const opener = (page: Page, id: string) => page.getByRole('button', { name: `open('${id}')`, exact: true });
/** Steps in the history take a moment. */
const expectPath = (page: Page, path: string) => expect.poll(() => new URL(page.url()).pathname).toBe(path);

/** Beside every modal. */
const clickBackdrop = (page: Page): Promise<void> => page.mouse.click(8, 8);

/** Whatever a press of a key or a click was about to close would have begun to fade by now. */
const expectStillOpen = async (page: Page): Promise<void> => {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(await page.locator('.modal[data-state="open"]').count()).toBe(1);
};

/** Marks the document: one that is loaded anew has no mark. */
const mark = (page: Page) => page.evaluate(() => document.body.setAttribute('data-mark', ''));
const isMarked = (page: Page) => page.evaluate(() => document.body.hasAttribute('data-mark'));

async function openGallery(options: Parameters<typeof openPage>[2] = {}) {
  const watched = await openPage(browser, product.url, options);
  await watched.page.goto('/ui/modals');
  await watched.page.waitForSelector('html[data-live]');
  return watched;
}

describe('a modal’s address', () => {
  it('a link opens it over the page, and Back closes it', async () => {
    const { page, expectQuiet, close } = await openPage(browser, product.url);
    await page.goto('/?v=b');
    await page.waitForSelector('html[data-live]');
    await mark(page);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith('.data')) asked.push(request.url());
    });
    const link = page.getByRole('link', { name: 'What happens to your photo' });
    await link.click();
    await dialog(page).waitFor();
    expect(new URL(page.url()).href).toBe(`${product.url}/about/photo?v=b`);
    expect(await dialog(page).getAttribute('aria-labelledby')).toBeTruthy();
    await page.getByRole('dialog', { name: 'What happens to your photo' }).waitFor();
    expect(await page.getByRole('heading', { level: 1, includeHidden: true }).count()).toBe(1);

    await page.goBack();
    await dialog(page).waitFor({ state: 'detached' });
    expect(new URL(page.url()).href).toBe(`${product.url}/?v=b`);
    expect(await isMarked(page)).toBe(true);
    await expect.poll(() => link.evaluate((element) => element === document.activeElement)).toBe(true);
    // The page beneath has noticed nothing.
    expect(asked).toEqual([]);
    expectQuiet();
    await close();
  });

  it('a reload shows it as a page, with the way back', async () => {
    const { page, expectQuiet, close } = await openGallery();
    await opener(page, 'about').click();
    await dialog(page).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'What happens to your photo' }).waitFor();
    expect(await dialog(page).count()).toBe(0);
    await page.getByRole('link', { name: 'Ok, Got It' }).click();
    await page.waitForURL('**/ui/modals');

    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'What happens to your photo' }).waitFor();
    await page.goBack();
    await opener(page, 'about').waitFor();
    expectQuiet();
    await close();
  });

  it('Forward to one that was closed shows its page', async () => {
    const { page, expectQuiet, close } = await openGallery();
    await opener(page, 'about').click();
    await dialog(page).waitFor();
    await page.goBack();
    await dialog(page).waitFor({ state: 'detached' });
    await page.goForward();
    await page.getByRole('heading', { level: 1, name: 'What happens to your photo' }).waitFor();
    await page.goBack();
    await opener(page, 'about').waitFor();
    expectQuiet();
    await close();
  });

  it('closing it leaves nothing in the history', async () => {
    const { page, expectQuiet, close } = await openPage(browser, product.url);
    await page.goto('/about/files');
    await page.goto('/ui/modals');
    await page.waitForSelector('html[data-live]');
    for (let times = 0; times < 2; times += 1) {
      await opener(page, 'upload:error').click();
      await dialog(page).getByRole('button', { name: 'Ok, Got It' }).click();
      await page.getByText('upload:error: gotIt').waitFor();
      await expectPath(page, '/ui/modals');
    }
    await page.goBack();
    await expectPath(page, '/about/files');
    expectQuiet();
    await close();
  });

  it('without JavaScript the link opens the page, and its button goes back', async () => {
    const { page, expectQuiet, close } = await openPage(browser, product.url, { javaScriptEnabled: false });
    await page.goto('/about/files?v=b');
    await page.getByRole('link', { name: /^Language/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Choose your language' }).waitFor();
    await page.goto('/?v=b');
    await page.getByRole('link', { name: 'What happens to your photo' }).click();
    await page.getByRole('link', { name: 'The result' }).click();
    await page.getByRole('heading', { level: 1, name: 'How to read the result' }).waitFor();
    await expectPath(page, '/about/result');
    await page.getByRole('link', { name: 'Ok, Got It' }).click();
    expect(new URL(page.url()).href).toBe(`${product.url}/?v=b`);
    expectQuiet();
    await close();
  });

  it('every reason why a file can’t be sent has a page', async () => {
    const { page, close } = await openPage(browser, product.url, { javaScriptEnabled: false });
    for (const [reason, title] of [
      ['too_few_files', 'No file chosen'],
      ['too_many_files', 'Limit reached: 1 file left'],
      ['wrong_file_format', 'This format can’t be read'],
      ['size', 'This file is too large'],
    ] as const) {
      const response = await page.goto(`/upload-error/${reason}`);
      expect(response?.status()).toBe(200);
      const heading = await page.getByRole('heading', { level: 1 }).textContent();
      expect(heading?.replace("'", '’')).toBe(title);
    }
    expect((await page.goto('/upload-error/nonsense'))?.status()).toBe(404);
    expect((await page.goto('/about/nonsense'))?.status()).toBe(404);
    await close();
  });
});

describe('closing', () => {
  it('by Escape, beside it, by its button, or by a choice; the opener learns which', async () => {
    const { page, expectQuiet, close } = await openGallery();
    for (const [leave, outcome] of [
      [() => page.keyboard.press('Escape'), 'dismissed'],
      [() => clickBackdrop(page), 'dismissed'],
      [() => page.getByRole('button', { name: 'Close' }).click(), 'dismissed'],
      [() => page.getByRole('button', { name: 'pop()' }).click(), 'dismissed'],
      [() => page.getByRole('button', { name: 'Try again' }).click(), 'yes'],
      [() => page.goBack(), 'dismissed'],
      [() => page.getByRole('button', { name: 'Cancel' }).click(), 'no'],
    ] as const) {
      await opener(page, 'gallery:modal').click();
      await dialog(page).waitFor();
      await leave();
      await dialog(page).waitFor({ state: 'detached' });
      await page.getByText(`gallery:modal: ${outcome}`, { exact: true }).waitFor();
      await expectPath(page, '/ui/modals');
    }
    expectQuiet();
    await close();
  });

  it('is impossible while the UI is locked', async () => {
    const { page, expectQuiet, close } = await openGallery();
    await opener(page, 'gallery:modal').click();
    await page.getByRole('button', { name: 'lockUi()' }).click();
    for (const attempt of [
      () => page.keyboard.press('Escape'),
      () => clickBackdrop(page),
      () => page.getByRole('button', { name: 'Close' }).click({ force: true }),
      () => page.evaluate(() => history.back()),
    ]) {
      await attempt();
      await expectStillOpen(page);
    }
    await page.waitForURL('**/ui/modals/modal*');
    await page.getByRole('button', { name: 'release()' }).click();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await expectPath(page, '/ui/modals');
    expectQuiet();
    await close();
  });

  it('is left to a choice where the id says prevent-pop', async () => {
    const { page, expectQuiet, close } = await openGallery();
    const id = 'gallery:modal[prevent-pop]';
    await opener(page, id).click();
    await dialog(page).waitFor();
    expect(await page.getByRole('button', { name: 'Close' }).count()).toBe(0);
    for (const attempt of [
      () => page.keyboard.press('Escape'),
      () => clickBackdrop(page),
      () => page.getByRole('button', { name: 'pop()' }).click(),
    ]) {
      await attempt();
      await expectStillOpen(page);
    }
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(`${id}: yes`, { exact: true }).waitFor();
    await dialog(page).waitFor({ state: 'detached' });
    expectQuiet();
    await close();
  });
});

describe('several', () => {
  it('only the top one can be used, and each Escape or Back closes one', async () => {
    const { page, expectQuiet, close } = await openGallery();
    const lower = page.locator('.modal').first();
    for (const leave of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
      await opener(page, 'gallery:modal').click();
      const inside = lower.getByRole('button', { name: "open('about')" });
      await inside.click();
      await page.getByRole('dialog', { name: 'What happens to your photo' }).waitFor();
      expect(await lower.evaluate((element) => element.hasAttribute('inert'))).toBe(true);
      expect(await page.locator('#content').evaluate((element) => element.closest('[inert]') !== null)).toBe(true);

      await leave();
      await expect.poll(() => page.locator('.modal').count()).toBe(1);
      expect(await lower.evaluate((element) => element.hasAttribute('inert'))).toBe(false);
      await expect.poll(() => inside.evaluate((element) => element === document.activeElement)).toBe(true);
      await expectPath(page, '/ui/modals/modal');

      await leave();
      await expect.poll(() => page.locator('.modal').count()).toBe(0);
      expect(await page.locator('#content').evaluate((element) => element.closest('[inert]') === null)).toBe(true);
      await expectPath(page, '/ui/modals');
    }
    expectQuiet();
    await close();
  });
});

describe('while one is open', () => {
  it('the focus stays inside, in both directions, and comes back', async () => {
    const { page, expectQuiet, close } = await openGallery();
    await opener(page, 'upload:error').focus();
    await page.keyboard.press('Enter');
    await dialog(page).waitFor();
    const names: string[] = [];
    for (const key of ['Tab', 'Tab', 'Shift+Tab']) {
      names.push(
        await page.evaluate(() => {
          const element = document.activeElement;
          return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
        }),
      );
      await page.keyboard.press(key);
    }
    expect(names).toEqual(['Ok, Got It', 'Close', 'Ok, Got It']);
    await page.keyboard.press('Escape');
    await expect
      .poll(() => opener(page, 'upload:error').evaluate((element) => element === document.activeElement))
      .toBe(true);
    expectQuiet();
    await close();
  });

  it('the page behind keeps its place', async () => {
    const { page, expectQuiet, close } = await openPage(browser, product.url, {
      viewport: { width: 1000, height: 500 },
      reducedMotion: 'reduce',
    });
    await page.goto('/');
    await page.waitForSelector('html[data-live]');
    await page.evaluate(() => window.scrollTo(0, 10_000));
    const before = await page.evaluate(() => window.scrollY);
    expect(before).toBeGreaterThan(100);
    await page.getByRole('link', { name: 'What happens to your photo' }).click();
    await dialog(page).waitFor();
    await page.mouse.move(8, 8);
    await page.mouse.wheel(0, -400);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => window.scrollY)).toBe(before);
    expectQuiet();
    await close();
  });

  it('it comes and goes in 0.2 s, at once under reduced motion', async () => {
    for (const [reducedMotion, duration] of [
      ['no-preference', '0.2s'],
      ['reduce', 'none'],
    ] as const) {
      const { page, close } = await openGallery({ reducedMotion });
      await opener(page, 'about').click();
      await dialog(page).waitFor();
      for (const part of ['.modal', '.modal-backdrop']) {
        const style = await page.locator(part).evaluate((element) => {
          const { animationName, animationDuration } = getComputedStyle(element);
          return animationName === 'none' ? 'none' : animationDuration;
        });
        expect(style).toBe(duration);
      }
      await close();
    }
  });

  it('side tabs go by arrow keys, and the address goes with them', async () => {
    const { page, expectQuiet, close } = await openGallery();
    await opener(page, 'about').click();
    await expect
      .poll(() => page.getByRole('tab', { name: 'Your photo' }).evaluate((tab) => tab === document.activeElement))
      .toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.getByRole('heading', { name: 'How to read the result' }).waitFor();
    await expectPath(page, '/about/result');
    await page.keyboard.press('End');
    await page.getByText('up to 2,048 pixels').waitFor();
    await expectPath(page, '/about/files');
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Files');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'What you can send' }).waitFor();
    expectQuiet();
    await close();
  });
});

it('home loads at most 120 kB of compressed script, and nothing of a modal', async () => {
  const { page, close } = await openPage(browser, product.url);
  const scripts = new Map<string, number>();
  page.on('response', async (response) => {
    if (response.request().resourceType() === 'script')
      scripts.set(response.url(), gzipSync(await response.body()).length);
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  expect([...scripts.keys()].join()).not.toMatch(/modal-host/);
  const total = [...scripts.values()].reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(50_000);
  expect(total).toBeLessThan(120_000);
  await page.getByRole('link', { name: 'What happens to your photo' }).click();
  await dialog(page).waitFor();
  expect([...scripts.keys()].join()).toMatch(/modal-host/);
  await close();
});
