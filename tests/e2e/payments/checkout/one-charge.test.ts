import { userExportRoutes } from '@clearframe/contract';
import { expect } from 'vitest';
import { useBrowser } from '../../../support/browser/browser.ts';
import { itWithAndWithoutJavaScript } from '../../../support/browser/javascript.ts';
import { isFormPost } from '../../../support/browser/network.ts';
import { openMember } from '../../../support/members.ts';
import { CARDS, openCheckout, payWith } from '../../../support/payments/checkout.ts';
import { sharedProduct } from '../../../support/product/shared-product.ts';

const product = sharedProduct();
const browser = useBrowser();

itWithAndWithoutJavaScript(
  'a plan that is paid in one tab can’t be paid again in another',
  { short: 'with' },
  async (javaScriptEnabled) => {
    const { page, account, close } = await openMember(browser(), product.url, { javaScriptEnabled });
    await openCheckout(page, 'personal_weekly', { javaScriptEnabled });
    const other = await page.context().newPage();
    await other.goto(page.url());
    const otherPay = other.getByRole('button', { name: 'Pay $' });
    await otherPay.waitFor();
    await page.getByRole('button', { name: 'Pay $' }).click();
    await payWith(page, 'good');
    await page.waitForURL('**/welcome');

    const answered = other.waitForResponse((response) => isFormPost(response.request()));
    await otherPay.click();
    expect(new URL((await answered).url()).pathname).toMatch(/^\/checkout/);
    await other.waitForURL(({ pathname }) => !pathname.startsWith('/api/sandbox/'));
    const { subscriptions, receipts } = await account.call(userExportRoutes.exportCurrentUser, {});
    expect(subscriptions).toMatchObject([{ paidCents: 999 }]);
    expect(receipts.length).toBeLessThanOrEqual(1);
    await close();
  },
);

itWithAndWithoutJavaScript(
  'a payment page that is opened again by Back charges nothing more',
  { short: 'without' },
  async (javaScriptEnabled) => {
    const { page, account, close } = await openMember(browser(), product.url, { javaScriptEnabled });
    const opened = page.waitForRequest((request) => request.url().includes('/api/sandbox/pages/checkout'));
    await openCheckout(page, 'three_exports', { javaScriptEnabled });
    await page.getByRole('button', { name: 'Pay $' }).click();
    await payWith(page, 'good');
    await page.waitForURL('**/account/limits');
    // Chromium may restore the page without asking for it.
    await page.goto((await opened).url());
    const card = page.locator(`button[name=card_number][value="${CARDS.good}"]`);
    if ((await card.count()) > 0) await card.click();
    await page.waitForURL(({ pathname }) => pathname === '/account/limits' || pathname.startsWith('/api/sandbox/'));
    const { availableCredits } = await account.me();
    expect(availableCredits).toBe(3);
    const { payments } = await account.call(userExportRoutes.exportCurrentUser, {});
    expect(payments.filter(({ status }) => status === 'succeeded')).toHaveLength(1);
    await close();
  },
);
