import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../../test/support/application.js';
import { CARD } from '../../../test/support/billing/card-payer.js';
import {
  DAY_SECONDS,
  newKey,
  PAGES,
  PageClient,
  RETURN,
  SandboxClient,
} from '../../../test/support/billing/sandbox-provider.js';

let api: TestApi;
let sandbox: SandboxClient;
let pages: PageClient;
beforeAll(async () => {
  api = await startApi();
  sandbox = new SandboxClient(api);
  pages = new PageClient(api);
});
afterAll(() => api.stop());

const digits = (number: string): string => number.replaceAll(' ', '');

const setup = async () => sandbox.cards.createSetupIntent(await sandbox.customer(), newKey());
const payment = async () =>
  sandbox.cards.createPaymentIntent({
    customerId: await sandbox.customer(),
    amountCents: 499,
    currency: 'eur',
    reference: 'r',
    key: newKey(),
  });

const sessionIn = (url: string) => ({ session: new URL(url).searchParams.get('session') ?? '' });
const setupPage = async (returnUrl = `${api.url}${RETURN}`) => {
  const customerId = await sandbox.customer();
  return sessionIn(await sandbox.cards.createSetupPage({ customerId, returnUrl, key: newKey() }));
};
const paymentPage = async (returnUrl = `${api.url}${RETURN}`) => {
  const customerId = await sandbox.customer();
  const priceId = sandbox.prices.idOf('single_export_eur');
  const order = { customerId, priceId, reference: 'r', returnUrl, key: newKey() };
  const { id, url } = await sandbox.cards.createPaymentPage(order);
  return { id, page: sessionIn(url) };
};

describe('the checkout page', () => {
  it('shows the amount and that no money moves, and runs no scripts', async () => {
    const { page } = await paymentPage();
    const { text, headers } = await pages.open('checkout', page).expect(200);
    expect(text).toContain('€4.99');
    expect(text).toContain('Sandbox: no money moves');
    expect(text).not.toContain('<script');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; form-action /);
    for (const number of Object.values(CARD)) expect(text).toContain(`value="${digits(number)}"`);
  });

  it('keeps a payer whose card is declined, and redirects back once another one has paid', async () => {
    const { id, page } = await paymentPage();
    const declined = await pages.send('checkout', { ...page, card_number: ['', digits(CARD.declined)] }).expect(402);
    expect(declined.text).toContain('Your card was declined.');
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ status: 'pending', reference: 'r' });
    const paid = await pages.send('checkout', { ...page, card_number: CARD.succeeds, action: 'pay' }).expect(303);
    expect(pages.resultOf(paid.headers.location)).toEqual({
      path: '/checkout/return',
      result: { v: 'ft', redirect_status: 'succeeded', payment_intent: id },
    });
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ id, status: 'succeeded', amountCents: 499 });
    const again = await pages.open('checkout', page).expect(303);
    expect(again.headers.location).toBe(paid.headers.location);
    await pages.send('checkout', { ...page, card_number: CARD.succeeds, action: 'pay' }).expect(303);
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ status: 'succeeded' });
  });

  it('returns what saved the payment method', async () => {
    const page = await setupPage();
    expect(await sandbox.cards.readPaymentMethod(page.session)).toBeNull();
    const { headers } = await pages
      .send('checkout', { ...page, card_number: digits(CARD.sameFingerprint) })
      .expect(303);
    const { result } = pages.resultOf(headers.location);
    expect(result).toEqual({ v: 'ft', redirect_status: 'succeeded', setup_intent: page.session });
    expect(await sandbox.cards.readPaymentMethod(page.session)).toMatchObject({
      id: expect.stringMatching(/^sbx_pm_/),
      fingerprint: 'sbx_fp_always_the_same',
    });
  });

  it('asks the bank first where the card requires it', async () => {
    const { id, page } = await paymentPage();
    const pay = () => pages.send('checkout', { ...page, card_number: digits(CARD.redirected) }).expect(303);
    const bank = pages.resultOf((await pay()).headers.location);
    expect(bank.path).toBe(`${PAGES}/authenticate`);
    const refused = await pages.send('authenticate', { ...bank.result, action: 'decline' }).expect(303);
    const back = new URL(refused.headers.location ?? '');
    expect((await api.http.get(back.pathname + back.search).expect(200)).text).toContain('unable to authenticate');
    await pay();
    const approved = await pages.send('authenticate', { ...bank.result, action: 'approve' }).expect(303);
    const done = new URL(approved.headers.location ?? '');
    const left = await api.http.get(done.pathname + done.search).expect(303);
    expect(pages.resultOf(left.headers.location).result).toMatchObject({ payment_intent: id });
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ status: 'succeeded' });
  });

  it('redirects back on cancellation, and can be paid later', async () => {
    const { id, page } = await paymentPage();
    const { headers } = await pages.send('checkout', { ...page, card_number: '', action: 'cancel' }).expect(303);
    expect(pages.resultOf(headers.location).result).toEqual({ v: 'ft', redirect_status: 'canceled' });
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ status: 'pending' });
    await pages.open('checkout', page).expect(200);
  });

  it('takes no payment once it was closed', async () => {
    const { id, page } = await paymentPage();
    await sandbox.cards.cancelPayment(id, newKey());
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ status: 'canceled' });
    expect((await pages.open('checkout', page).expect(410)).text).toContain('This page has expired');
    await pages.send('checkout', { ...page, card_number: CARD.succeeds, action: 'pay' }).expect(410);
    await sandbox.cards.cancelPayment(id, newKey());
  });

  it('expires after a day', async () => {
    const { id } = await paymentPage();
    const page = await setupPage();
    await sandbox.advance(DAY_SECONDS);
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ status: 'canceled' });
    await pages.open('checkout', page).expect(410);
  });

  it.each([
    ['4012 8888 8888 1881', 'real card'],
    ['nothing', 'not the number of a test card'],
    ['', 'not the number of a test card'],
  ])('shows an error for %j without repeating it', async (number, problem) => {
    const page = await setupPage();
    const { text } = await pages.send('checkout', { ...page, card_number: number, action: 'pay' }).expect(422);
    expect(text).toContain(problem);
    if (number) expect(text).not.toContain(number);
  });

  it('leads to the product only', async () => {
    const { id, page } = await paymentPage('https://elsewhere.example/');
    await pages.send('checkout', { ...page, action: 'cancel' }).expect(422);
    await pages.send('checkout', { ...page, card_number: digits(CARD.succeeds) }).expect(422);
    expect(id).toBe(page.session);
  });

  it('requires the id of a session', async () => {
    const { id } = await paymentPage();
    for (const session of ['', 'sbx_cs_none', id.slice(0, -1)]) {
      const { text } = await pages.open('checkout', { session }).expect(404);
      expect(text).toContain('This does not work');
    }
  });
});

describe('the page of a card’s bank', () => {
  it.each([
    ['approve', 'succeeded', 'succeeded'],
    ['decline', 'failed', 'pending'],
  ])('%s', async (action, redirectStatus, status) => {
    const { id, clientSecret } = await payment();
    const authentication = { client_secret: clientSecret, return_url: '/back' };
    const { body } = await sandbox.confirm(clientSecret, CARD.redirected, { return_url: '/back' }).expect(200);
    const { path, result } = pages.resultOf(body.redirect_url);
    expect(path).toBe(`${PAGES}/authenticate`);
    expect(result).toEqual(authentication);
    expect((await api.http.get(path).query(result).expect(200)).text).toContain('€4.99');
    const back = await pages.send('authenticate', { ...authentication, action }).expect(303);
    expect(pages.resultOf(back.headers.location)).toMatchObject({
      path: '/back',
      result: { redirect_status: redirectStatus, payment_intent: id },
    });
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ status });
  });

  it('approves nothing unrequested', async () => {
    const { id, clientSecret } = await payment();
    await pages
      .send('authenticate', { client_secret: clientSecret, return_url: '/back', action: 'approve' })
      .expect(303);
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ status: 'pending' });
  });

  it("is the redirect of the API's response, too", async () => {
    const { clientSecret } = await setup();
    const { body } = await sandbox.confirm(clientSecret, CARD.redirected, { return_url: '/back' }).expect(200);
    expect(pages.resultOf(body.redirect_url).result).toEqual({ client_secret: clientSecret, return_url: '/back' });
    await sandbox.confirm(clientSecret, CARD.redirected, { return_url: 'https://elsewhere.example' }).expect(422);
  });

  it('requires the right secret and leads to the product only', async () => {
    const { id, clientSecret } = await payment();
    for (const secret of [id, `${id}_secret_`, `${clientSecret}0`, '', 'sbx_pi_none_secret_1']) {
      await pages.open('authenticate', { client_secret: secret, return_url: '/back' }).expect(404);
    }
    for (const address of [
      'https://elsewhere.example/',
      '//elsewhere.example',
      '/\\elsewhere.example',
      'javascript:1',
    ]) {
      await pages.open('authenticate', { client_secret: clientSecret, return_url: address }).expect(422);
    }
  });

  it('escapes parameters', async () => {
    const { clientSecret } = await payment();
    const returnUrl = '/"><script>alert(1)</script>';
    const { text } = await pages
      .open('authenticate', { client_secret: clientSecret, return_url: returnUrl })
      .expect(200);
    expect(text).not.toContain('<script');
    expect(text).toContain('&lt;script&gt;');
  });

  it('shows the result without a return URL', async () => {
    const { clientSecret } = await setup();
    const { body } = await sandbox.confirm(clientSecret, CARD.redirected).expect(200);
    const { pathname, search } = new URL(body.redirect_url);
    await api.http.get(`${pathname}${search}`).expect(200);
    const { text } = await pages.send('authenticate', { client_secret: clientSecret, action: 'approve' }).expect(200);
    expect(text).toContain('The card was accepted.');
  });
});
