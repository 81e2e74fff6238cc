import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../../support/browser/accessibility.ts';
import { openPage } from '../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { dialog } from '../../support/browser/modal-pages.ts';
import { openMember } from '../../support/members.ts';
import type { Product } from '../../support/product/product.ts';
import { runOps } from '../../support/product/services.ts';
import { until } from '../../support/product/until.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

export const STAFF_PASSWORD = 'correct horse battery';

export function testSecretMenu(product: () => Product, browser: () => Browser): void {
  beforeAll(async () => {
    await runOps(product(), 'experiments', 'create', 'label', '--name', 'Label of the trial', ...SEGMENTS);
    await runOps(product(), 'experiments', 'start', 'label');
  });

  /** All visitors are in the first segment, which changes nothing. */
  const SEGMENTS = [
    ...['--segment', '{"id": "usual", "weight": 1}'],
    ...['--segment', '{"id": "start", "weight": 0, "flags": {"expFreeTrialPaywallCtaLabel": "start"}}'],
  ];

  const trial = (page: Page, label: string) => page.getByRole('main').getByRole('link', { name: `${label} Personal` });
  const USUAL = text('tiers:try');
  const CHANGED = text('tiers:trialLabels.start');

  const enter = async (page: Page, password: string) => {
    await page.getByLabel(text('account:secretMenu.password')).fill(password);
    await page.getByRole('button', { name: text('account:secretMenu.open'), exact: true }).click();
  };
  const choose = async (page: Page, segment: RegExp | string) => {
    const select = page.getByLabel('Label of the trial');
    const option = await select.locator('option', { hasText: segment }).getAttribute('value');
    await select.selectOption(option);
    await page.getByRole('button', { name: text('account:secretMenu.experiments.apply') }).click();
  };

  describe('the secret menu', () => {
    it('opens over a page with Meta+Shift+7+u and forces a segment after the password', async () => {
      const { page, expectNoErrors, close } = await openPage(browser(), product().url);
      await page.goto('/pricing');
      await untilHydrated(page);
      await trial(page, USUAL).first().waitFor();
      await page.keyboard.down('Meta');
      await page.keyboard.down('Shift');
      await page.keyboard.press('Digit7');
      await page.keyboard.press('KeyU');
      await page.keyboard.up('Shift');
      await page.keyboard.up('Meta');
      await dialog(page).waitFor();
      const password = page.getByLabel(text('account:secretMenu.password'));
      await password.waitFor();
      await expect.poll(() => new URL(page.url()).pathname).toBe('/secret-menu');
      await expectAccessible(page);
      await enter(page, '');
      await page.getByText(text('account:secretMenu.missing'), { exact: true }).waitFor();
      await enter(page, 'wrong password');
      await page.getByText('The secret menu password is incorrect.').waitFor();
      await enter(page, STAFF_PASSWORD);
      await password.waitFor({ state: 'detached' });
      await expectAccessible(page, [390]);
      await choose(page, /^start/);
      await page.getByText('Done! Please, reload the page').waitFor();
      await expect
        .poll(() => page.evaluate((secret) => document.documentElement.outerHTML.includes(secret), STAFF_PASSWORD))
        .toBe(false);
      await page.goto('/pricing');
      await trial(page, CHANGED).first().waitFor();
      await expect.poll(() => trial(page, USUAL).count()).toBe(0);
      expectNoErrors();
      await close();
    });

    itWithAndWithoutJavaScript(
      'is a page, which forces a segment and takes out of the experiment',
      { short: 'neither' },
      async (javaScriptEnabled) => {
        const { page, expectNoErrors, close } = await openPage(browser(), product().url, {
          javaScriptEnabled,
          expectedStatus: 403,
        });
        await page.goto('/secret-menu');
        await enter(page, 'wrong password');
        await page.getByText('The secret menu password is incorrect.').waitFor();
        if (javaScriptEnabled) await expectAccessible(page, [1440, 390]);
        await enter(page, STAFF_PASSWORD);
        await page.getByLabel('Label of the trial').waitFor();
        if (javaScriptEnabled) await expectAccessible(page, [1440, 390]);
        await choose(page, /^start/);
        await page.waitForURL('**/secret-menu?done=yes');
        await page.getByText(text('account:secretMenu.experiments.forced')).waitFor();
        await page.goto('/pricing');
        await trial(page, CHANGED).first().waitFor();
        await page.goto('/secret-menu');
        await choose(page, text('account:secretMenu.experiments.out'));
        await page.waitForURL('**/secret-menu?done=yes');
        await page.goto('/pricing');
        await trial(page, USUAL).first().waitFor();
        await page.goto('/secret-menu');
        await page.getByRole('button', { name: text('account:secretMenu.close') }).click();
        await page.getByLabel(text('account:secretMenu.password')).waitFor();
        await page.goto('/secret-menu');
        await page.getByLabel(text('account:secretMenu.password')).waitFor();
        expectNoErrors();
        await close();
      },
    );

    itWithAndWithoutJavaScript(
      'an empty password has the same error with and without JavaScript',
      { short: 'neither' },
      async (javaScriptEnabled) => {
        const { page, expectNoErrors, close } = await openPage(browser(), product().url, {
          javaScriptEnabled,
          expectedStatus: 422,
        });
        await page.goto('/secret-menu');
        if (javaScriptEnabled) await untilHydrated(page);
        await enter(page, '');
        await page.getByText(text('account:secretMenu.missing'), { exact: true }).waitFor();
        expectNoErrors();
        await close();
      },
    );

    it('gives a member free access, and ends it', async () => {
      const { page, account, expectNoErrors, close } = await openMember(browser(), product().url, {
        javaScriptEnabled: false,
      });
      await page.goto('/secret-menu');
      await enter(page, STAFF_PASSWORD);
      await page.getByRole('button', { name: text('account:secretMenu.free.turnOn') }).click();
      await page.getByRole('button', { name: text('account:secretMenu.free.turnOff') }).waitFor();
      expect(await account.me()).toMatchObject({ isFree: true, role: 'business' });
      await page.getByRole('button', { name: text('account:secretMenu.free.turnOff') }).click();
      await page.getByRole('button', { name: text('account:secretMenu.free.turnOn') }).waitFor();
      expect(await account.me()).toMatchObject({ isFree: false });
      expectNoErrors();
      await close();
    });
  });

  describe('an experiment', () => {
    it('is seen by the visitors of its segments, the same on every page and after a reload, until it is stopped', async () => {
      const flags = '{"expFreeTrialPaywallPayNowLabel": "unlock"}';
      const segment = `{"id": "everyone", "weight": 1, "flags": ${flags}}`;
      await runOps(product(), 'experiments', 'create', 'pay-label', '--segment', segment);
      await runOps(product(), 'experiments', 'start', 'pay-label');
      const { page, expectNoErrors, close } = await openPage(browser(), product().url);
      const label = page
        .getByRole('main')
        .getByRole('link', { name: new RegExp(`^${text('tiers:payNowLabels.unlock')}`) });
      const untilCount = (isShown: boolean) =>
        until(isShown ? 'the label' : 'the usual label', async () => {
          await page.goto('/pricing?version=ip');
          return (await label.count()) > 0 === isShown;
        });
      await untilCount(true);
      await page.goto('/upgrade?version=ip');
      await label.first().waitFor();
      await runOps(product(), 'experiments', 'stop', 'pay-label');
      await untilCount(false);
      expectNoErrors();
      await close();
    });
  });
}
