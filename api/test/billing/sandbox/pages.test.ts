import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/application.js';
import { CARD, newKey, SandboxClient } from './sandbox-provider.js';

let api: TestApi;
let sandbox: SandboxClient;
beforeAll(async () => {
  api = await startApi();
  sandbox = new SandboxClient(api);
});
afterAll(() => api.stop());

const PAGES = '/api/sandbox/pages';
const digits = (number: string): string => number.replaceAll(' ', '');
const open = (path: string, query: object = {}) => api.http.get(`${PAGES}/${path}`).query(query);
const send = (path: string, fields: object) => api.http.post(`${PAGES}/${path}`).type('form').send(fields);

/** Query of a redirect. */
const resultOf = (location: string | undefined): { path: string; result: Record<string, string> } => {
  const url = new URL(location ?? '');
  expect(url.origin).toBe(api.url);
  return { path: url.pathname, result: Object.fromEntries(url.searchParams) };
};

const setup = async () => sandbox.cards.createSetupIntent(await sandbox.customer(), newKey());
const payment = async () =>
  sandbox.cards.createPaymentIntent({
    customerId: await sandbox.customer(),
    amountCents: 499,
    currency: 'eur',
    reference: 'r',
    key: newKey(),
  });

describe('the checkout page', () => {
  it('shows the amount and that no money moves, and runs no scripts', async () => {
    const { clientSecret } = await payment();
    const { text, headers } = await open('checkout', { client_secret: clientSecret, return_url: '/back' }).expect(200);
    expect(text).toContain('€4.99');
    expect(text).toContain('Sandbox: no money moves');
    expect(text).not.toContain('<script');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; form-action /);
    for (const number of Object.values(CARD)) expect(text).toContain(`value="${digits(number)}"`);
  });

  it('redirects back with the result', async () => {
    const { id, clientSecret } = await payment();
    const errand = { client_secret: clientSecret, return_url: '/result/1?v=ft' };
    const declined = await send('checkout', { ...errand, card_number: ['', digits(CARD.declined)] }).expect(303);
    expect(resultOf(declined.headers.location)).toEqual({
      path: '/result/1',
      result: {
        v: 'ft',
        redirect_status: 'failed',
        payment_intent: id,
        payment_intent_client_secret: clientSecret,
        error_code: 'card_declined',
      },
    });
    const paid = await send('checkout', { ...errand, card_number: CARD.succeeds, action: 'pay' }).expect(303);
    expect(resultOf(paid.headers.location).result).toMatchObject({ redirect_status: 'succeeded', payment_intent: id });
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ status: 'succeeded' });
    const again = await open('checkout', errand).expect(303);
    expect(again.headers.location).toBe(paid.headers.location);
  });

  it('returns the saved payment method', async () => {
    const { clientSecret } = await setup();
    const errand = { client_secret: clientSecret, return_url: `${api.url}/checkout` };
    const { headers } = await send('checkout', { ...errand, card_number: digits(CARD.alwaysTheSame) }).expect(303);
    const { result } = resultOf(headers.location);
    expect(result).toMatchObject({ setup_intent_client_secret: clientSecret, redirect_status: 'succeeded' });
    expect(await sandbox.cards.readPaymentMethod(result.payment_method_id ?? '')).not.toBeNull();
  });

  it('redirects back on cancellation', async () => {
    const { id, clientSecret } = await payment();
    const errand = { client_secret: clientSecret, return_url: '/back' };
    const { headers } = await send('checkout', { ...errand, card_number: '', action: 'cancel' }).expect(303);
    expect(resultOf(headers.location)).toEqual({ path: '/back', result: { redirect_status: 'canceled' } });
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ status: 'pending' });
  });

  it.each([
    ['4012 8888 8888 1881', 'real card'],
    ['nothing', 'not the number of a test card'],
    ['', 'not the number of a test card'],
  ])('shows an error for %j without repeating it', async (number, problem) => {
    const { clientSecret } = await setup();
    const errand = { client_secret: clientSecret, return_url: '/back' };
    const { text } = await send('checkout', { ...errand, card_number: number, action: 'pay' }).expect(422);
    expect(text).toContain(problem);
    if (number) expect(text).not.toContain(number);
  });

  it.each(['https://elsewhere.example/', '//elsewhere.example', '/\\elsewhere.example', 'javascript:alert(1)'])(
    'does not redirect to %s',
    async (address) => {
      const { clientSecret } = await payment();
      const errand = { client_secret: clientSecret, return_url: address };
      await open('checkout', errand).expect(422);
      await send('checkout', { ...errand, card_number: digits(CARD.succeeds) }).expect(422);
      await send('checkout', { ...errand, action: 'cancel' }).expect(422);
    },
  );

  it('requires the right secret', async () => {
    const { id, clientSecret } = await payment();
    for (const secret of [id, `${id}_secret_`, `${clientSecret}0`, '', 'sbx_pi_none_secret_1']) {
      const { text } = await open('checkout', { client_secret: secret, return_url: '/back' }).expect(404);
      expect(text).toContain('This does not work');
    }
  });

  it('escapes parameters', async () => {
    const { clientSecret } = await payment();
    const returnUrl = '/"><script>alert(1)</script>';
    const { text } = await open('checkout', { client_secret: clientSecret, return_url: returnUrl }).expect(200);
    expect(text).not.toContain('<script');
    expect(text).toContain('&lt;script&gt;');
  });
});

describe('the page of a card’s bank', () => {
  it.each([
    ['approve', 'succeeded', 'succeeded'],
    ['decline', 'failed', 'pending'],
  ])('%s', async (action, redirectStatus, status) => {
    const { id, clientSecret } = await payment();
    const errand = { client_secret: clientSecret, return_url: '/back' };
    const { headers } = await send('checkout', { ...errand, card_number: digits(CARD.redirected) }).expect(303);
    const { path, result } = resultOf(headers.location);
    expect(path).toBe(`${PAGES}/authenticate`);
    expect(result).toEqual(errand);
    expect((await api.http.get(path).query(result).expect(200)).text).toContain('€4.99');
    const back = await send('authenticate', { ...errand, action }).expect(303);
    expect(resultOf(back.headers.location)).toMatchObject({
      path: '/back',
      result: { redirect_status: redirectStatus, payment_intent: id },
    });
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ status });
  });

  it('approves nothing unrequested', async () => {
    const { id, clientSecret } = await payment();
    await send('authenticate', { client_secret: clientSecret, return_url: '/back', action: 'approve' }).expect(303);
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ status: 'pending' });
  });

  it("is the redirect of the API's response, too", async () => {
    const { clientSecret } = await setup();
    const { body } = await sandbox.confirm(clientSecret, CARD.redirected, { return_url: '/back' }).expect(200);
    expect(resultOf(body.redirect_url).result).toEqual({ client_secret: clientSecret, return_url: '/back' });
    await sandbox.confirm(clientSecret, CARD.redirected, { return_url: 'https://elsewhere.example' }).expect(422);
  });

  it('shows the result without a return URL', async () => {
    const { clientSecret } = await setup();
    const { body } = await sandbox.confirm(clientSecret, CARD.redirected).expect(200);
    const { pathname, search } = new URL(body.redirect_url);
    await api.http.get(`${pathname}${search}`).expect(200);
    const { text } = await send('authenticate', { client_secret: clientSecret, action: 'approve' }).expect(200);
    expect(text).toContain('The card was accepted.');
  });
});

describe('the wallet’s pages', () => {
  it.each(['approve', 'decline'])('a plan: %s', async (action) => {
    const planId = sandbox.prices.walletPlansOf('personal_yearly_usd').withTrial ?? '';
    const offer = { plan_id: planId, custom_id: 'buyer-3', return_url: '/back' };
    expect((await open('wallet/subscription', offer).expect(200)).text).toContain('$260.99');
    const { headers } = await send('wallet/subscription', { ...offer, action }).expect(303);
    const { result } = resultOf(headers.location);
    if (action === 'decline') return expect(result).toEqual({ redirect_status: 'canceled' });
    expect(await sandbox.read(result.subscription_id ?? '')).toMatchObject({ status: 'trialing' });
  });

  it.each(['approve', 'decline'])('a payment: %s', async (action) => {
    const offer = { amount_cents: '2499', currency: 'usd', custom_id: 'buyer-3', return_url: '/back' };
    expect((await open('wallet/charge', offer).expect(200)).text).toContain('$24.99');
    const { headers } = await send('wallet/charge', { ...offer, action }).expect(303);
    const { result } = resultOf(headers.location);
    if (action === 'decline') return expect(result).toEqual({ redirect_status: 'canceled' });
    expect(await sandbox.wallet.readPayment(result.charge_id ?? '')).toMatchObject({ amountCents: 2499 });
  });

  it('exist for what is sold, and redirect to the product only', async () => {
    const plan = { plan_id: 'sbx_plan_none', custom_id: 'a-1', return_url: '/back' };
    await open('wallet/subscription', plan).expect(404);
    await send('wallet/subscription', { ...plan, action: 'approve' }).expect(404);
    const charge = { amount_cents: '0', currency: 'usd', custom_id: 'a-1', return_url: '/back' };
    await open('wallet/charge', charge).expect(422);
    await open('wallet/charge', { ...charge, amount_cents: '1', return_url: 'https://elsewhere.example' }).expect(422);
  });
});

describe('the portal', () => {
  const portalOf = async (customerId: string): Promise<string> => {
    const address = await sandbox.cards.openPortal(customerId);
    expect(address.startsWith(`${api.url}${PAGES}/portal/`)).toBe(true);
    return address.slice(`${api.url}${PAGES}/`.length);
  };

  it('cancels and resumes', async () => {
    const holder = await sandbox.cardHolder();
    const { id } = await sandbox.subscribe(holder);
    const portal = await portalOf(holder.customerId);
    expect((await open(portal).expect(200)).text).toContain('Cancel subscription');
    await send(portal, { action: `cancel:${id}` }).expect(303);
    expect(await sandbox.read(id)).toMatchObject({ cancelAtPeriodEnd: true });
    expect((await open(portal).expect(200)).text).toContain('Resume subscription');
    await send(portal, { action: `resume:${id}` }).expect(303);
    expect(await sandbox.read(id)).toMatchObject({ cancelAtPeriodEnd: false });
  });

  it('accepts another card for an open invoice', async () => {
    const holder = await sandbox.cardHolder(CARD.chargeFails);
    const { id } = await sandbox.subscribe(holder);
    const portal = await portalOf(holder.customerId);
    for (const number of [CARD.declined, '4012888888881881', '']) {
      const { text } = await send(portal, { action: `pay:${id}`, [`card_number:${id}`]: number }).expect(422);
      expect(text).toContain('role="alert"');
    }
    await send(portal, { action: `pay:${id}`, [`card_number:${id}`]: CARD.succeeds }).expect(303);
    expect(await sandbox.read(id)).toMatchObject({ status: 'active' });
  });

  it("shows one customer's subscriptions only", async () => {
    const { id } = await sandbox.subscribe();
    const otherUser = await portalOf(await sandbox.customer());
    expect((await open(otherUser).expect(200)).text).not.toContain(id);
    await send(otherUser, { action: `cancel:${id}` }).expect(404);
    expect(await sandbox.read(id)).toMatchObject({ cancelAtPeriodEnd: false });
  });

  it('expires after an hour', async () => {
    const portal = await portalOf(await sandbox.customer());
    await api.sql(
      `UPDATE sandbox.objects SET body = body || '{"_expiresAt": 0}' WHERE type = 'billing_portal.session'`,
    );
    await open(portal).expect(404);
    await open('portal/guessed').expect(404);
  });
});
