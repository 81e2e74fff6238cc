import { describe, expect, it } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { answer, choosePlan, payWith } from '../support/paying.ts';
import { sharedProduct } from '../support/shared-product.ts';
import { openMember } from '../support/signed-in.ts';

const product = sharedProduct();
const browser = useBrowser();

describe.each([true, false])('with JavaScript: %s', (javaScriptEnabled) => {
  it('a declined subscription is paid with another card', async () => {
    const { page, account, expectQuiet, close } = await openMember(browser(), product.url, { javaScriptEnabled });
    await choosePlan(page, 'Personal');
    await page.getByRole('button', { name: 'Pay by card' }).click();
    await payWith(page, 'keptOnly');
    await page.getByRole('alert').getByText('Try another card').waitFor();

    // From the checkout, which makes the same offer again.
    await page.getByText('$9.99', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Pay by card' }).click();
    await payWith(page, 'keptOnly');
    await page.getByRole('alert').getByText('Try another card').waitFor();
    expect((await account.me()).monetization).toMatchObject({ isSubscribed: false, hasIncompleteSubscription: true });

    // From the account, with a card that its bank confirms.
    await page.goto('/account/subscription');
    await page.getByRole('alert').getByText('Pay with another card within 23 hours').waitFor();
    await page.getByRole('link', { name: 'Pay with another card' }).click();
    await page.getByRole('heading', { level: 1, name: 'Checkout' }).waitFor();
    await page.getByRole('button', { name: 'Pay by card' }).click();
    await payWith(page, 'bank');
    await answer(page, 'approve');
    await page.waitForURL('**/account/subscription');
    await page.getByText(/\$9\.99 is charged next on/).waitFor();
    expect((await account.me()).monetization).toMatchObject({ isSubscribed: true, hasIncompleteSubscription: false });

    // The address that mails name leads nowhere else once everything is paid.
    await page.goto('/subscription/pay');
    await page.waitForURL('**/account/subscription');
    expectQuiet();
    await close();
  });
});
