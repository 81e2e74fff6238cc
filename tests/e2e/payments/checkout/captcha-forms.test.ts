import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
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

it('the token is passed through the payment page and verified again', async () => {
  const buyer = await member();
  const fields = { priceId: idOf('personal_weekly_usd'), method: 'card', attempt: randomUUID(), captchaToken: 'good' };
  const page = new URL(await send(buyer, '/checkout', fields), url);
  const form = new URLSearchParams({
    session: page.searchParams.get('session') ?? '',
    card_number: '4242424242424242',
  });
  const paid = await fetch(page, { method: 'POST', body: form, redirect: 'manual' });
  const back = new URL(paid.headers.get('location') ?? '', url);
  expect(back.searchParams.get('captchaToken')).toBe('good');
  back.searchParams.set('captchaToken', REFUSED_TOKEN);
  const response = await fetch(back, { headers: { cookie: buyer.cookie }, redirect: 'manual' });
  expect(response.headers.get('location')).toContain('problem=captcha.failed');
});
