import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { untilBrieflyShown } from '../../../support/browser/brief.ts';
import { openPage } from '../../../support/browser/browser.ts';
import { openMember } from '../../../support/members.ts';
import { CHARGE, link, pagesOf, storeFlags, VISITORS, type Visitor } from '../../../support/payments/flag-effects.ts';
import { subscribe } from '../../../support/payments/purchases.ts';
import { blurredFace } from '../../../support/portrait.ts';
import type { Product } from '../../../support/product/product.ts';
import { runOps } from '../../../support/product/services.ts';
import { until } from '../../../support/product/until.ts';
import { signUpByPopup, untilHydrated } from '../../../support/sign-in.ts';
import { text } from '../../../support/texts.ts';

/** They are left as an operator has set them. */
export function testFlags(product: () => Product, browser: () => Browser): void {
  async function openAs(visitor: Visitor) {
    if (visitor === 'guest') return openPage(browser(), product().url);
    const member = await openMember(browser(), product().url);
    if (visitor === 'subscriber') await subscribe(member.account, 'personal');
    return member;
  }

  const setFlag = (flag: string, value: string) => runOps(product(), 'settings', 'set', flag, value);

  /** Flags are read again after seconds. */
  const untilShown = (page: Page, path: string, what: (page: Page) => ReturnType<Page['locator']>) =>
    until(`${path} changes`, async () => {
      await page.goto(path);
      return (await what(page).count()) > 0;
    });

  describe('without flags', () => {
    it.each(VISITORS)('the pages of a %s are without their effects', async (visitor) => {
      const { page, expectNoErrors, close } = await openAs(visitor);
      for (const { path, effects } of pagesOf(visitor)) {
        await page.goto(path);
        for (const { flag, usual, changed } of effects) {
          await usual(page).first().waitFor();
          await expect.poll(() => changed(page).count(), { message: flag }).toBe(0);
        }
      }
      expectNoErrors();
      await close();
    });
  });

  describe('with flags that an operator has set', () => {
    beforeAll(() => storeFlags(product()));

    it.each(VISITORS)('each is seen on its page of a %s', async (visitor) => {
      const { page, expectNoErrors, close } = await openAs(visitor);
      for (const { path, effects } of pagesOf(visitor)) {
        for (const [index, { flag, usual, changed }] of effects.entries()) {
          if (index === 0) await untilShown(page, path, changed);
          await expect.poll(() => changed(page).count(), { message: flag }).toBeGreaterThan(0);
          await expect.poll(() => usual(page).count(), { message: flag }).toBe(0);
        }
      }
      expectNoErrors();
      await close();
    });

    it('a highlighted offer is bought, or leads to all plans', async () => {
      const { page, expectNoErrors, close } = await openAs('member');
      await untilShown(page, '/upgrade', link(text('tiers:paywall.others')));
      await expect.poll(() => link(/^Buy/)(page).count()).toBe(1);
      await link(text('tiers:paywall.others'))(page).click();
      await link('Buy: 3 downloads')(page).waitFor();
      await page.goBack();
      await link('Buy: 10 downloads')(page).click();
      await page.waitForURL('**/checkout?*');
      await page.getByRole('heading', { name: '10 downloads' }).waitFor();
      expectNoErrors();
      await close();
    });
  });

  describe('surveys that an operator has switched on', () => {
    const dialog = (page: Page, name: string) => page.getByRole('dialog', { name: text(`surveys:${name}`) });

    it('ask a subscriber once, before an upload, which continues 2 s after the answer', async () => {
      await setFlag('popupSurveyKind', 'feature_ranking');
      const { page, expectNoErrors, close } = await openAs('subscriber');
      const upload = async () => {
        await page.goto('/');
        await untilHydrated(page);
        const file = { name: 'face.jpg', mimeType: 'image/jpeg', buffer: await blurredFace(120) };
        await page.locator('#upload-file, input[type=file]').first().setInputFiles(file);
      };
      // Flags are read again after seconds.
      await until('the survey is due', async () => {
        const response = await page.request.get('/uploads/uploader');
        return (await response.json()).isSurveyed;
      });
      await upload();
      await dialog(page, 'features.title')
        .getByRole('button', { name: text('surveys:features.start') })
        .click();
      await page.getByLabel(text('surveys:features.first')).waitFor();
      await expect.poll(() => page.locator('[aria-invalid=true]').count()).toBe(0);
      for (const [rank, feature] of [
        ['first', 'speed'],
        ['second', 'faces'],
        ['third', 'video'],
      ] as const)
        await page.getByLabel(text(`surveys:features.${rank}`)).selectOption(feature);
      await untilBrieflyShown(page, '[role=dialog] [role=status]', text('surveys:thanks.title'), () =>
        page.getByRole('button', { name: text('surveys:send'), exact: true }).click(),
      );
      await page.waitForURL('**/{processing,result}?*');
      await upload();
      await page.waitForURL('**/{processing,result}?*');
      expectNoErrors();
      await close();
    });

    it('ask a new account about its photos after the plans', async () => {
      await setFlag('popupSurveyKind', 'onboarding');
      const { page, expectNoErrors, close } = await openAs('guest');
      await page.goto('/about/files');
      await untilHydrated(page);
      await page.getByRole('banner').getByRole('link', { name: 'Get started' }).click();
      await signUpByPopup(page);
      const survey = dialog(page, 'onboarding.title');
      await survey.getByRole('button', { name: text('surveys:onboarding.skip') }).click();
      await survey.waitFor({ state: 'detached' });
      const state = async () => (await page.request.get('/consents/state')).json();
      await expect.poll(state).toMatchObject({ hasSurvey: false });
      expectNoErrors();
      await close();
    });
  });

  describe('version', () => {
    const intro = (page: Page) => page.getByText('$0.99 for the first week').first();
    const trial = (page: Page) => page.getByText(CHARGE);

    it.each([
      ['ip', { stored: 'ft', isFreeTrialEnabled: 'true', isIntroPriceEnabled: 'false' }],
      ['ft', { stored: 'ip', isFreeTrialEnabled: 'false', isIntroPriceEnabled: 'true' }],
    ] as const)('%s of the address wins over the stored flags, up to the checkout', async (version, flags) => {
      const { isFreeTrialEnabled, isIntroPriceEnabled } = flags;
      await setFlag('isFreeTrialEnabled', isFreeTrialEnabled);
      await setFlag('isIntroPriceEnabled', isIntroPriceEnabled);
      const [forced, stored] = version === 'ip' ? [intro, trial] : [trial, intro];
      const { page, expectNoErrors, close } = await openAs('member');
      await untilShown(page, '/pricing', stored);
      await expect.poll(() => forced(page).count()).toBe(0);
      await page.goto(`/pricing?version=${version}`);
      await forced(page).waitFor();
      await expect.poll(() => stored(page).count()).toBe(0);
      await page.locator('main a[href*="personal_weekly"]').click();
      await page.waitForURL((url) => url.pathname === '/checkout' && url.searchParams.get('version') === version);
      const due = page.getByText(version === 'ip' ? '$0.99' : '$0.00', { exact: true });
      await due.first().waitFor();
      expectNoErrors();
      await close();
    });
  });
}
