import { randomUUID } from 'node:crypto';
import type { Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../../../support/browser/browser.ts';
import { itInLongRun } from '../../../support/browser/javascript.ts';
import { openMember } from '../../../support/members.ts';
import { type Buyer, idOf, member, subscribed, subscribedByWallet } from '../../../support/payments/buyers.ts';
import { sharedProduct } from '../../../support/product/shared-product.ts';

const { url } = sharedProduct();
/** Rejected by the sandbox captcha, which accepts forms without a token. */
const REFUSED_TOKEN = 'fail';

/** Page or redirect after a payment form, without JavaScript. */
async function send({ cookie }: Buyer, path: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { cookie, origin: url },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
  return response.headers.get('location') ?? (await response.text());
}

it.each(['card', 'wallet'])(
  'the token of the checkout form reaches the API before a payment page opens: %s',
  async (method) => {
    const fields = { priceId: idOf('personal_weekly_usd'), method, attempt: randomUUID() };
    const buyer = await member();
    expect(await send(buyer, '/checkout', { ...fields, captchaToken: REFUSED_TOKEN })).toContain('captcha.failed');
    expect(await send(buyer, '/checkout', { ...fields, attempt: randomUUID() })).toContain('/api/sandbox/pages/');
  },
);

it.each([
  ['card', subscribed, '/account/subscription'],
  ['wallet', subscribedByWallet, '/api/sandbox/pages/'],
] as const)('the token of the upgrade form reaches the API: %s', async (_method, subscribe, next) => {
  const buyer = await subscribe('personal_weekly_usd');
  const fields = { priceId: idOf('business_weekly_usd') };
  expect(await send(buyer, '/upgrade/confirm', { ...fields, captchaToken: REFUSED_TOKEN })).toContain('captcha.failed');
  expect((await buyer.account.me()).monetization.priceId).toBe(idOf('personal_weekly_usd'));
  expect(await send(buyer, '/upgrade/confirm', fields)).toContain(next);
});

it('no token passes through the payment page, and the return needs none', async () => {
  const buyer = await member();
  const fields = { priceId: idOf('personal_weekly_usd'), method: 'card', attempt: randomUUID(), captchaToken: 'good' };
  const page = new URL(await send(buyer, '/checkout', fields), url);
  const form = new URLSearchParams({
    session: page.searchParams.get('session') ?? '',
    card_number: '4242424242424242',
  });
  const paid = await fetch(page, { method: 'POST', body: form, redirect: 'manual' });
  const back = new URL(paid.headers.get('location') ?? '', url);
  expect(back.searchParams.has('captchaToken')).toBe(false);
  const response = await fetch(back, { headers: { cookie: buyer.cookie }, redirect: 'manual' });
  expect(response.headers.get('location')).toContain('/welcome');
});

describe('with JavaScript', () => {
  const SCRIPT = '**/api/sandbox/scripts/recaptcha.js*';
  const browser = useBrowser();
  const payButton = (page: Page) => page.getByRole('button', { name: 'Pay $' });
  const tokenIn = (request: Request): string | null =>
    new URLSearchParams(request.postData() ?? '').get('captchaToken');

  /** The page is not loaded before a script that it has requested. */
  const openCheckout = (page: Page) =>
    page.goto(`/checkout?priceId=${idOf('three_exports_usd')}`, { waitUntil: 'domcontentloaded' });
  const checkoutForm = (page: Page) =>
    page.waitForRequest((request) => request.method() === 'POST' && /\/checkout(\.data)?\?/.test(request.url()));

  it('the form gets a new token each time it is sent, and names Google', async () => {
    const { page, expectNoErrors, close } = await openMember(browser(), url);
    await openCheckout(page);
    const notice = page.getByText('This site is protected by reCAPTCHA');
    await notice.waitFor();
    await page.waitForFunction(() => 'grecaptcha' in window);
    await expect
      .poll(() => notice.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href'))))
      .toEqual(['https://policies.google.com/privacy', 'https://policies.google.com/terms']);
    const tokens: (string | null)[] = [];
    for (let attempt = 0; attempt < 2; attempt++) {
      const [request] = await Promise.all([checkoutForm(page), payButton(page).click()]);
      tokens.push(tokenIn(request));
      await page.waitForURL('**/api/sandbox/pages/checkout?*');
      await page.goBack();
      await page.waitForFunction(() => 'grecaptcha' in window);
    }
    for (const token of tokens) expect(token).toMatch(/^sbx_captcha\.\d+\.[\da-f-]+\.\/checkouts$/);
    expect(new Set(tokens).size).toBe(2);
    expectNoErrors();
    await close();
  });

  itInLongRun('a form that is sent before the script is loaded says so and waits', async () => {
    const { page, close } = await openMember(browser(), url);
    let load = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => {
      load = resolve;
    });
    const isAsked = page.waitForRequest(SCRIPT);
    await page.route(SCRIPT, async (route) => {
      await isReleased;
      await route.continue();
    });
    await openCheckout(page);
    await isAsked;
    await payButton(page).click();
    await page.getByText('Captcha not loaded yet.').waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/checkout');
    const sent = checkoutForm(page);
    load();
    expect(tokenIn(await sent)).toMatch(/^sbx_captcha/);
    await page.waitForURL('**/api/sandbox/pages/checkout?*');
    await close();
  });

  itInLongRun('a form is sent without a token when the script cannot be loaded', async () => {
    const { page, close } = await openMember(browser(), url);
    await page.route(SCRIPT, (route) => route.abort());
    const isAsked = page.waitForRequest(SCRIPT);
    await openCheckout(page);
    await isAsked;
    const [request] = await Promise.all([checkoutForm(page), payButton(page).click()]);
    expect(tokenIn(request)).toBe('');
    await page.waitForURL('**/api/sandbox/pages/checkout?*');
    await close();
  });

  itInLongRun('other pages load no captcha', async () => {
    const { page, close } = await openMember(browser(), url);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto('/upgrade', { waitUntil: 'networkidle' });
    expect(asked.filter((address) => address.includes('recaptcha'))).toEqual([]);
    await close();
  });
});
