import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../../support/browser/accessibility.ts';
import { useBrowser } from '../../support/browser/browser.ts';
import { openMember } from '../../support/identity/members.ts';
import { answer, CARDS, type CardName, choosePlan } from '../../support/payments/checkout.ts';
import { type Product, startProduct } from '../../support/product/product.ts';
import { text } from '../../support/texts.ts';

let product: Product;
const browser = useBrowser();
beforeAll(async () => {
  product = await startProduct({ SANDBOX_PAYMENT_FORMS: 'true' });
});
afterAll(() => product?.stop());

const payButton = (page: Page) => page.getByRole('button', { name: 'Pay by card' });

async function enter(page: Page, card: CardName): Promise<void> {
  await page.getByLabel('Test card number').fill(CARDS[card]);
}

describe("the card provider's form in the checkout", () => {
  it('reports a declined card, accepts another one and charges once for a double click', async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    await page.goto('/upgrade');
    await page.getByRole('link', { name: 'Buy: 3 downloads' }).click();
    await page.getByLabel('Test card number').waitFor();
    expect(await payButton(page).isDisabled()).toBe(true);
    await expectAccessible(page, [320, 1280]);
    await enter(page, 'declined');
    await payButton(page).click();
    await page.getByRole('alert').getByText('Your card was declined.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/checkout');
    expect((await account.me()).availableCredits).toBe(0);
    await enter(page, 'good');
    await payButton(page).dblclick();
    await page.waitForURL('**/account/limits');
    expect((await account.me()).availableCredits).toBe(3);
    expectNoErrors();
    await close();
  });

  it("leaves for the bank's confirmation and subscribes on the return", async () => {
    const { page, account, expectNoErrors, close } = await openMember(browser(), product.url);
    await choosePlan(page, 'Personal');
    for (const decision of ['decline', 'approve'] as const) {
      await enter(page, 'bank');
      await payButton(page).click();
      await answer(page, decision);
      if (decision === 'decline')
        await page.getByRole('alert').getByText(text('common:errors.payments.declined')).waitFor();
    }
    await page.waitForURL('**/account/subscription');
    expect((await account.me()).monetization.isSubscribed).toBe(true);
    expectNoErrors();
    await close();
  });

  it("leads to the provider's page without JavaScript, and when the script can't be loaded", async () => {
    for (const javaScriptEnabled of [false, true]) {
      const { page, close } = await openMember(browser(), product.url, { javaScriptEnabled });
      await page.route('**/api/sandbox/scripts/stripe.js', (route) => route.abort());
      await page.goto('/upgrade');
      await page.getByRole('link', { name: 'Buy: 3 downloads' }).click();
      await payButton(page).click();
      await page.waitForURL('**/api/sandbox/pages/checkout?*');
      await close();
    }
  });
});
