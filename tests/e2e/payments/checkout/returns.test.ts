import { describe, expect } from 'vitest';
import { useBrowser } from '../../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript } from '../../../support/browser/javascript.ts';
import { openMember } from '../../../support/members.ts';
import { sharedProduct } from '../../../support/product/shared-product.ts';
import { text } from '../../../support/texts.ts';

const product = sharedProduct();
const browser = useBrowser();

/** A failed return to any page, as providers redirect (spec 1, section 2). */
const failedReturn = (provider: Readonly<Record<string, string>>): string =>
  `/about/files?${new URLSearchParams({
    redirect_status: 'failed',
    ...provider,
    priceId: 'sbx_price_personal_weekly_usd',
    paymentStrategyId: 'personal',
    freeTrialEnabled: 'true',
    emailReminderEnabled: 'false',
  })}`;

describe('a failed redirect', () => {
  for (const [name, provider, reason] of [
    [
      'of a card',
      {
        setup_intent: 'seti_1',
        setup_intent_client_secret: 'seti_1_secret_2',
        paymentMethodType: 'card',
      },
      text('common:errors.payments.declined'),
    ],
    ['of the wallet', { subscription_id: 'I-1' }, text('tiers:checkout.problem.walletSetup')],
  ] as const)
    itWithAndWithoutJavaScript(
      `${name} says so, charges nothing and keeps the choices`,
      { short: name === 'of a card' ? 'with' : 'neither' },
      async (javaScriptEnabled) => {
        const { page, account, expectNoErrors, close } = await openMember(browser(), product.url, {
          javaScriptEnabled,
        });
        await page.goto(failedReturn(provider));
        await page.waitForURL('**/checkout?*');
        await page.getByRole('alert').getByText(reason).waitFor();
        const { searchParams } = new URL(page.url());
        for (const parameter of ['redirect_status', ...Object.keys(provider)])
          expect(searchParams.has(parameter), parameter).toBe(false);
        await page.getByRole('button', { name: text('tiers:checkout.cardTrial'), exact: true }).waitFor();
        const reminder = page.getByRole('switch', { name: text('tiers:checkout.reminder') });
        await expect.poll(() => reminder.isChecked()).toBe(false);
        expect((await account.me()).monetization).toMatchObject({ isSubscribed: false, openSubscription: null });
        await page
          .getByRole('alert')
          .getByRole('link', { name: text('common:tryAgain') })
          .click();
        await page.waitForURL((url) => url.pathname === '/checkout' && !url.searchParams.has('problem'));
        await page.getByRole('button', { name: text('tiers:checkout.cardTrial'), exact: true }).waitFor();
        expectNoErrors();
        await close();
      },
    );
});
