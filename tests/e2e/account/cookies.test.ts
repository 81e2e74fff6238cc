import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { expectAccessible } from '../../support/browser/accessibility.ts';
import { openPage, useBrowser } from '../../support/browser/browser.ts';
import { describeInLongRun, itInLongRun, itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { startThirdParties } from '../../support/browser/third-parties.ts';
import { startWeb } from '../../support/product/services.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const banner = (page: Page) => page.getByRole('region', { name: text('footer:cookies.label') });
const choose = (page: Page, choice: 'accept' | 'refuse') =>
  banner(page)
    .getByRole('button', { name: text(`footer:cookies.${choice}`) })
    .click();
const settings = (page: Page) => page.locator('footer').getByRole('link', { name: text('footer:cookies.settings') });
const answerOf = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === 'clearframe_cookies')?.value;
const actionsOn = (page: Page) =>
  page.evaluate(() => {
    const events = 'dataLayer' in window ? (window.dataLayer as { event: string; action?: string }[]) : [];
    return events.filter(({ event }) => event === 'cookieBanner').map(({ action }) => action);
  });

describe('the cookie banner', () => {
  for (const [choice, answer] of [
    ['accept', 'C0002.C0004'],
    ['refuse', ''],
  ] as const)
    itWithAndWithoutJavaScript(
      `asks until it is answered: ${choice}`,
      { short: choice === 'refuse' ? 'without' : 'neither' },
      async (javaScriptEnabled) => {
        const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
          javaScriptEnabled,
          asksForCookies: true,
        });
        await page.goto('/pricing?v=b');
        if (javaScriptEnabled) await untilHydrated(page);
        await choose(page, choice);
        await banner(page).waitFor({ state: 'detached' });
        await expect.poll(() => answerOf(page)).toBe(answer);
        await expect.poll(() => page.url()).toBe(`${product.url}/pricing?v=b`);
        if (javaScriptEnabled)
          await expect.poll(() => actionsOn(page)).toEqual([choice === 'accept' ? 'accepted' : 'rejected']);
        await page.goto('/');
        await expect.poll(() => banner(page).count()).toBe(0);
        expectNoErrors();
        await close();
      },
    );

  it('is above the page, covers nothing on a phone and is accessible', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      asksForCookies: true,
    });
    await page.goto('/');
    await untilHydrated(page);
    const [bar, choice] = await Promise.all([
      banner(page).boundingBox(),
      page.getByText(text('home:drop.choose'), { exact: true }).boundingBox(),
    ]);
    expect(bar?.y).toBe(0);
    expect(choice && bar && choice.y > bar.y + bar.height).toBe(true);
    // In the first screen.
    expect(choice && choice.y + choice.height).toBeLessThanOrEqual(844);
    const buttons = await banner(page).getByRole('button').all();
    const sizes = await Promise.all(buttons.map(async (button) => (await button.boundingBox())?.height));
    expect(sizes).toEqual([sizes[0], sizes[0]]);
    await expectAccessible(page, [1440, 768, 390]);
    expectNoErrors();
    await close();
  });

  it('gives the focus to the page when it has been answered', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { asksForCookies: true });
    await page.goto('/pricing');
    await untilHydrated(page);
    await banner(page)
      .getByRole('button', { name: text('footer:cookies.refuse') })
      .press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
    expectNoErrors();
    await close();
  });
});

describe('the cookie settings', () => {
  itInLongRun('open over the page, keep each category, and change the answer', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, { asksForCookies: true });
    await page.goto('/pricing');
    await untilHydrated(page);
    const dialog = page.getByRole('dialog', { name: text('footer:cookies.settings') });
    const measurement = dialog.getByRole('switch', { name: text('onboarding:cookies.measurement.title') });
    await settings(page).click();
    await dialog.waitFor();
    await expectAccessible(page, [1440, 390]);
    await measurement.check();
    await dialog.getByRole('button', { name: text('onboarding:cookies.save') }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => banner(page).count()).toBe(0);
    await expect.poll(() => answerOf(page)).toBe('C0002');
    await expect.poll(() => actionsOn(page)).toEqual(['customizing', 'customized']);

    await settings(page).click();
    await expect.poll(() => measurement.isChecked()).toBe(true);
    await dialog.getByRole('button', { name: text('footer:cookies.refuse') }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => answerOf(page)).toBe('');
    expectNoErrors();
    await close();
  });

  it('are a page without JavaScript, linked from the policy', async () => {
    const { page, expectNoErrors, close } = await openPage(browser(), product.url, {
      javaScriptEnabled: false,
      asksForCookies: true,
    });
    await page.goto('/privacy-and-cookie-policy');
    await page
      .locator('#cookies')
      .getByRole('link', { name: text('footer:cookies.settings') })
      .click();
    await page.getByRole('heading', { level: 1, name: text('footer:cookies.settings') }).waitFor();
    await expect.poll(() => banner(page).count()).toBe(0);
    await page.getByRole('switch', { name: text('onboarding:cookies.advertising.title') }).check();
    await page.getByRole('button', { name: text('onboarding:cookies.save') }).click();
    await page.waitForURL('**/privacy-and-cookie-policy');
    await expect.poll(() => answerOf(page)).toBe('C0004');
    await page.goto('/cookies');
    const states = () =>
      page.getByRole('switch').evaluateAll((inputs) => inputs.map((one) => (one as HTMLInputElement).checked));
    await expect.poll(states).toEqual([false, true]);
    expectNoErrors();
    await close();
  });

  it('reject forged answers', async () => {
    for (const body of ['choice=some', '', 'choice=save&C0002=maybe']) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const response = await fetch(`${product.url}/cookies`, { method: 'POST', redirect: 'manual', headers, body });
      expect(response.status).toBe(422);
      expect(response.headers.getSetCookie().join()).not.toContain('clearframe_cookies');
    }
  });
});

describeInLongRun('scripts of third parties', () => {
  itInLongRun('are loaded with consent, each with its own', async () => {
    const parties = await startThirdParties();
    onTestFinished(() => void parties.stop());
    const web = await startWeb(product, parties.environment);
    onTestFinished(web.stop);
    const { page, expectNoErrors, close } = await openPage(browser(), web.url, {
      asksForCookies: true,
      allowedOrigins: [parties.origin],
    });
    await page.goto('/pricing');
    await untilHydrated(page);
    await settings(page).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('switch', { name: text('onboarding:cookies.advertising.title') }).check();
    await dialog.getByRole('button', { name: text('onboarding:cookies.save') }).click();
    await expect.poll(() => parties.requested).toEqual(['/gtm.js?id=GTM-TEST']);
    await dialog.waitFor({ state: 'detached' });
    await settings(page).click();
    await dialog.getByRole('button', { name: text('footer:cookies.accept') }).click();
    await expect.poll(() => parties.requested).toEqual(['/gtm.js?id=GTM-TEST', '/survey.js']);
    const groups = await page.evaluate(() =>
      ((window as { dataLayer?: Record<string, string>[] }).dataLayer ?? []).flatMap(
        ({ OnetrustActiveGroups: active }) => active ?? [],
      ),
    );
    expect(groups).toEqual([',C0001,', ',C0001,C0004,', ',C0001,C0002,C0004,']);
    const starts = await page.evaluate(() =>
      (window as { dataLayer?: Record<string, unknown>[] }).dataLayer?.filter((entry) => 'gtm.start' in entry),
    );
    expect(starts).toEqual([{ 'gtm.start': expect.any(Number), event: 'gtm.js' }]);

    // The next page knows the answer.
    await page.goto('/');
    await expect.poll(() => parties.requested.length).toBe(4);
    expectNoErrors();
    await close();
  });

  itInLongRun('follow the consent platform, whose banner replaces ours', async () => {
    const parties = await startThirdParties();
    onTestFinished(() => void parties.stop());
    const web = await startWeb(product, { ...parties.environment, ...parties.platform });
    onTestFinished(web.stop);
    const { page, expectNoErrors, close } = await openPage(browser(), web.url, {
      asksForCookies: true,
      allowedOrigins: [parties.origin],
    });
    await page.goto('/pricing');
    await expect.poll(() => banner(page).count()).toBe(0);
    const accept = page.locator('#onetrust-accept-btn-handler[data-watched]');
    await accept.waitFor();
    // The content security policy takes the platform's own styles.
    await expect.poll(() => accept.evaluate((button) => getComputedStyle(button).outlineColor)).toBe('rgb(1, 2, 3)');
    expect(parties.requested).toEqual(['/platform.js']);
    await accept.click();
    // Two connections, in any order.
    await expect
      .poll(() => parties.requested.toSorted())
      .toEqual(['/gtm.js?id=GTM-TEST', '/platform.js', '/survey.js']);
    await expect.poll(() => actionsOn(page)).toEqual(['accepted']);
    await settings(page).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: text('footer:cookies.settings') })
      .click();
    await page.locator('body[data-settings="site-1"]').waitFor();
    expectNoErrors();
    await close();
  });
});
