import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { usePage } from '../../support/browser/gallery.ts';
import { itInLongRun } from '../../support/browser/javascript.ts';
import { dialog, expectPath, opener, useModalPages } from '../../support/browser/modal-pages.ts';
import { pressAgain } from '../../support/browser/presses.ts';
import { text } from '../../support/texts.ts';

const { visit, openGallery } = useModalPages();

const BACKDROP = { x: 8, y: 8 } as const;
const clickBackdrop = (page: Page): Promise<void> => page.mouse.click(BACKDROP.x, BACKDROP.y);

/** Waits two frames, in which a closing modal would have started to fade. */
const expectStillOpen = async (page: Page): Promise<void> => {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await expect.poll(() => page.locator('.modal[data-state="open"]').count()).toBe(1);
};

/** Goes back, and waits until the page has undone it: steps in the history are asynchronous, and hidden from listeners. */
const stepBackAndForth = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        let steps = 0;
        const navigation: EventTarget = Reflect.get(window, 'navigation');
        navigation.addEventListener('currententrychange', () => {
          steps += 1;
          if (steps === 2) resolve();
        });
        history.back();
      }),
  );

/** Animations are on; they delay closing. */
const gallery = usePage(openGallery);

describe('closing', () => {
  it('reports Escape, backdrop, button or choice to the opener', async () => {
    const page = gallery();
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
  });

  it('needs a press after the double-click on the opener', async () => {
    const page = gallery();
    await opener(page, 'gallery:modal').click();
    await dialog(page).waitFor();
    await pressAgain(page, BACKDROP);
    await expectStillOpen(page);
    await clickBackdrop(page);
    await dialog(page).waitFor({ state: 'detached' });
    await expectPath(page, '/ui/modals');
  });

  itInLongRun('is impossible while the UI is locked', async () => {
    const page = gallery();
    await opener(page, 'gallery:modal').click();
    await page.getByRole('button', { name: 'lockUi()' }).click();
    for (const attempt of [
      () => page.keyboard.press('Escape'),
      () => clickBackdrop(page),
      () => page.getByRole('button', { name: 'Close' }).click({ force: true }),
      () => stepBackAndForth(page),
    ]) {
      await attempt();
      await expectStillOpen(page);
    }
    await page.waitForURL('**/ui/modals/modal*');
    await page.getByRole('button', { name: 'release()' }).click();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await expectPath(page, '/ui/modals');
  });

  itInLongRun('needs a choice where the id contains prevent-pop', async () => {
    const page = gallery();
    const id = 'gallery:modal[prevent-pop]';
    await opener(page, id).click();
    await dialog(page).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Close' }).count()).toBe(0);
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
  });
});

describe('several', () => {
  it('only the top one is interactive; each Escape or Back closes one', async () => {
    const page = gallery();
    const lower = page.locator('.modal').first();
    for (const leave of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
      await opener(page, 'gallery:modal').click();
      const inside = lower.getByRole('button', { name: "open('about')" });
      await inside.click();
      await page.getByRole('dialog', { name: 'What happens to your photo' }).waitFor();
      await expect.poll(() => lower.evaluate((element) => element.hasAttribute('inert'))).toBe(true);
      await expect
        .poll(() => page.locator('#content').evaluate((element) => element.closest('[inert]') !== null))
        .toBe(true);

      await leave();
      await expect.poll(() => page.locator('.modal').count()).toBe(1);
      await expect.poll(() => lower.evaluate((element) => element.hasAttribute('inert'))).toBe(false);
      await expect.poll(() => inside.evaluate((element) => element === document.activeElement)).toBe(true);
      await expectPath(page, '/ui/modals/modal');

      await leave();
      await expect.poll(() => page.locator('.modal').count()).toBe(0);
      await expect
        .poll(() => page.locator('#content').evaluate((element) => element.closest('[inert]') === null))
        .toBe(true);
      await expectPath(page, '/ui/modals');
    }
  });
});

describe('while one is open', () => {
  it('focus is trapped and restored', async () => {
    const page = gallery();
    await opener(page, 'upload:error').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true);
    const names: string[] = [];
    for (const key of ['Tab', 'Tab', 'Tab', 'Shift+Tab']) {
      names.push(
        await page.evaluate(() => {
          const element = document.activeElement;
          return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
        }),
      );
      await page.keyboard.press(key);
    }
    expect(names).toEqual([text('common:tryAgain'), text('common:gotIt'), 'Close', text('common:tryAgain')]);
    await page.keyboard.press('Escape');
    await expect
      .poll(() => opener(page, 'upload:error').evaluate((element) => element === document.activeElement))
      .toBe(true);
  });

  itInLongRun('the page below keeps its scroll position', async () => {
    const { page, expectNoErrors, close } = await visit({
      viewport: { width: 1000, height: 500 },
      reducedMotion: 'reduce',
    });
    await page.goto('/');
    await page.waitForSelector('html[data-live]');
    await page.evaluate(() => window.scrollTo(0, 10_000));
    const before = await page.evaluate(() => window.scrollY);
    expect(before).toBeGreaterThan(100);
    const link = page.getByRole('link', { name: 'What happens to your photo' });
    for (const isOpenerLeft of [true, false]) {
      await link.click();
      await dialog(page).waitFor();
      await page.mouse.move(8, 8);
      await page.mouse.wheel(0, -400);
      if (!isOpenerLeft)
        await page
          .locator('a', { hasText: 'What happens to your photo' })
          .evaluate((element) => element.replaceWith(element.cloneNode(true)));
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      if (!isOpenerLeft) await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
    }
    expectNoErrors();
    await close();
  });

  itInLongRun('it fades within 0.2 s, without animation under reduced motion', async () => {
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

  it('side tabs follow the arrow keys and set the address', async () => {
    const page = gallery();
    await opener(page, 'about').click();
    await expect
      .poll(() => page.getByRole('tab', { name: 'Your photo' }).evaluate((tab) => tab === document.activeElement))
      .toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.getByRole('heading', { name: text('common:about.result.title') }).waitFor();
    await expectPath(page, '/about/result');
    await page.keyboard.press('End');
    await page.getByText('up to 2,048 pixels').waitFor();
    await expectPath(page, '/about/files');
    await expect.poll(() => page.getByRole('tab', { selected: true }).textContent()).toBe('Files');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: text('common:about.files.title') }).waitFor();
  });
});
