import { userExportRoutes } from '@clearframe/contract';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../../support/browser/accessibility.ts';
import { untilBrieflyShown } from '../../support/browser/brief.ts';
import { useBrowser } from '../../support/browser/browser.ts';
import { describeInLongRun, itInLongRun, itWithAndWithoutJavaScript } from '../../support/browser/javascript.ts';
import { openMember } from '../../support/members.ts';
import { sharedProduct } from '../../support/product/shared-product.ts';
import { untilHydrated } from '../../support/sign-in.ts';
import { text } from '../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

const RANKS = ['first', 'second', 'third'] as const;
const ANSWERS = { editingLevel: 'some', knowledge: 'new', photoType: 'old', purpose: 'print', source: 'friends' };

const button = (page: Page, key: string) => page.getByRole('button', { name: text(`surveys:${key}`), exact: true });
const title = (page: Page, key: string) => page.getByRole('heading', { level: 1, name: text(`surveys:${key}`) });

/** A member who agreed to measurement, so that the answers are in the data export. */
async function openWithConsent(javaScriptEnabled: boolean, category = 'C0002') {
  // The test sends an invalid form.
  const member = await openMember(browser(), product.url, { javaScriptEnabled, expectedStatus: 422 });
  await member.page.context().addCookies([{ name: 'clearframe_cookies', value: category, url: product.url }]);
  const events = async () =>
    (await member.account.call(userExportRoutes.exportCurrentUser, {})).events
      .filter(({ kind, data }) => kind === 'survey' && (data.action === 'end' || data.action === 'declined'))
      .map(({ data }) => data);
  return { ...member, events };
}

async function rank(page: Page, features: readonly string[]): Promise<void> {
  for (const [index, name] of RANKS.entries())
    await page.getByLabel(text(`surveys:features.${name}`)).selectOption(features[index] ?? '');
}

describeInLongRun('the feature ranking', () => {
  itWithAndWithoutJavaScript(
    'is a page from its start to its end, which leads back',
    { short: 'neither' },
    async (javaScriptEnabled) => {
      const { page, events, expectNoErrors, close } = await openWithConsent(javaScriptEnabled);
      await page.goto('/surveys/features?from=%2Fhelp');
      if (javaScriptEnabled) await untilHydrated(page);
      await page.getByRole('link', { name: text('surveys:features.start') }).click();
      await page.getByLabel(text('surveys:features.first')).waitFor();
      if (javaScriptEnabled) await expectAccessible(page, [1440, 390]);
      await rank(page, ['speed', 'speed', 'video']);
      await button(page, 'send').click();
      await page.getByText(text('surveys:features.different')).waitFor();
      // The answers are kept.
      await expect.poll(() => page.getByLabel(text('surveys:features.third')).inputValue()).toBe('video');
      if (javaScriptEnabled) await expectAccessible(page, [390]);
      await rank(page, ['speed', 'faces', 'video']);
      // With JavaScript the thanks disappear after two seconds.
      const send = () => button(page, 'send').click();
      if (javaScriptEnabled) await untilBrieflyShown(page, 'h1', text('surveys:thanks.title'), send);
      else await send();
      if (!javaScriptEnabled) await title(page, 'thanks.title').waitFor();
      if (!javaScriptEnabled) await page.getByRole('link', { name: text('common:goBack') }).click();
      await page.waitForURL('**/help');
      const answers = { first: 'speed', second: 'faces', third: 'video' };
      await expect.poll(() => events()).toEqual([{ survey: 'feature_ranking', action: 'end', answers }]);
      expectNoErrors();
      await close();
    },
  );

  itInLongRun('can be declined without an answer', async () => {
    const { page, events, expectNoErrors, close } = await openWithConsent(false);
    await page.goto('/surveys/features?from=%2Fhelp');
    await button(page, 'features.noThanks').click();
    await page.waitForURL('**/help');
    await expect.poll(() => events()).toEqual([{ survey: 'feature_ranking', action: 'declined' }]);
    expectNoErrors();
    await close();
  });
});

describe('the onboarding survey', () => {
  itWithAndWithoutJavaScript('asks five questions', { short: 'without' }, async (javaScriptEnabled) => {
    const { page, events, expectNoErrors, close } = await openWithConsent(javaScriptEnabled);
    await page.goto('/surveys/onboarding');
    if (javaScriptEnabled) await untilHydrated(page);
    await title(page, 'onboarding.title').waitFor();
    if (javaScriptEnabled) await expectAccessible(page, [1440, 390]);
    await button(page, 'send').click();
    await expect.poll(() => page.locator('select[aria-invalid=true]').count()).toBe(5);
    for (const [name, value] of Object.entries(ANSWERS))
      await page.getByLabel(text(`surveys:onboarding.${name}.question`)).selectOption(value);
    await button(page, 'send').click();
    await title(page, 'thanks.title').waitFor();
    await expect.poll(() => events()).toEqual([{ survey: 'onboarding', action: 'end', answers: ANSWERS }]);
    expectNoErrors();
    await close();
  });

  it('is anonymous without consent to measurement', async () => {
    const { page, events, expectNoErrors, close } = await openWithConsent(false, 'C0004');
    await page.goto('/surveys/onboarding');
    await button(page, 'onboarding.skip').click();
    await page.waitForURL((url) => url.pathname === '/');
    await expect.poll(() => events()).toEqual([]);
    expectNoErrors();
    await close();
  });
});
