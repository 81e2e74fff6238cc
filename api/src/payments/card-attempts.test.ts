import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { CARDS, Customer, controlsOf, faultsOf, price, resultOf } from '../../test/support/billing/customer.js';
import { CardProvider } from '../providers/payment-provider.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
afterEach(async () => {
  vi.restoreAllMocks();
  await controlsOf(api).webhooks('sent');
});

const rowsOf = async (member: Customer) =>
  api.sql<{ status: string }>('SELECT status FROM payments WHERE user_id = $1 ORDER BY created_at', [
    await member.userId(),
  ]);

describe('an unpaid form', () => {
  /** Stripe forgets idempotency keys after 24 hours. */
  async function aDayLater(member: Customer, paymentId: string): Promise<void> {
    const day = `interval '25 hours'`;
    await api.sql(`DELETE FROM sandbox.requests WHERE body ->> 'id' = $1`, [paymentId]);
    await api.sql(`UPDATE payments SET created_at = created_at - ${day} WHERE user_id = $1`, [await member.userId()]);
  }

  it('is the same when it is opened again', async () => {
    const member = await Customer.member(api);
    const first = await member.intent('three_exports_usd', 3);
    expect(await member.intent('three_exports_usd', 3)).toEqual(first);
    expect(await rowsOf(member)).toHaveLength(1);
  });

  it('is replaced a day later, and only the new one can be paid', async () => {
    const member = await Customer.member(api);
    const first = await member.intent('three_exports_usd', 3);
    await aDayLater(member, first.payment_id);
    const second = await member.intent('three_exports_usd', 3);
    expect(await member.pay(first.client_secret)).toMatchObject({ status: 'failed', error_code: 'intent_canceled' });
    expect((await member.pay(second.client_secret)).status).toBe('succeeded');
    await member.confirm(second.payment_id).expect(200);
    expect([await member.credits(), await rowsOf(member)]).toEqual([
      3,
      [{ status: 'canceled' }, { status: 'succeeded' }],
    ]);
  });

  it('that was paid without an event is granted a day later, beside a new one', async () => {
    const member = await Customer.member(api);
    await controlsOf(api).webhooks('withheld');
    const first = await member.intent('three_exports_usd', 3);
    await member.pay(first.client_secret);
    await aDayLater(member, first.payment_id);
    const second = await member.intent('three_exports_usd', 3);
    expect([second.payment_id === first.payment_id, await member.credits()]).toEqual([false, 3]);
  });
});

describe('a payment page', () => {
  const open = (member: Customer, returnPath: string) =>
    member.visitor.post('/checkouts', {
      price_id: price('three_exports_usd'),
      unlocked_exports: 3,
      return_path: returnPath,
    });
  it('whose response was lost is opened again, also with another return', async () => {
    const member = await Customer.member(api);
    faultsOf(api).loseNextResponse('POST /v1/checkout/sessions');
    expect(resultOf(await open(member, '/checkout/return?step=1'))).toEqual([503, 'service.unavailable']);
    const { body } = await open(member, '/checkout/return?step=2').expect(201);
    const page = new URL(body.url);
    const form = { ...Object.fromEntries(page.searchParams), card_number: CARDS.good, action: 'pay' };
    const { headers } = await api.http.post(page.pathname).type('form').send(form).expect(303);
    expect(new URL(headers.location ?? '').searchParams.get('step')).toBe('2');
    expect(await rowsOf(member)).toHaveLength(1);
  });

  it('opened in two tabs with different returns can be paid in one', async () => {
    const member = await Customer.member(api);
    const tabs = await Promise.all(['a', 'b'].map((tab) => open(member, `/checkout/return?tab=${tab}`)));
    const pages = tabs.filter(({ status }) => status === 201).map(({ body }) => new URL(body.url));
    expect(tabs.map(({ status }) => status).filter((status) => status !== 201 && status !== 503)).toEqual([]);
    const paid = [];
    for (const { pathname, searchParams } of pages) {
      const form = { ...Object.fromEntries(searchParams), card_number: CARDS.good, action: 'pay' };
      paid.push((await api.http.post(pathname).type('form').send(form)).status);
    }
    expect(paid.filter((status) => status === 303)).toHaveLength(1);
  });
});

describe('a request that the provider rejects', () => {
  it.each([400, 401, 404])('with %s is an error of ours, not of the client', async (status) => {
    const member = await Customer.member(api);
    await member.intent('three_exports_usd', 3);
    api.providers.cardFaults.add({ operation: 'POST /v1/setup_intents', kind: 'error', status, times: 1 });
    const response = await member.visitor.post('/stripe/intents', { stripe_account: 'DK' });
    expect(resultOf(response)).toEqual([500, 'service.internal']);
  });
});

describe('an order that another attempt always takes', () => {
  it('is given up after three attempts', async () => {
    const member = await Customer.member(api);
    await member.intent('three_exports_usd', 3);
    const cards = api.app.get(CardProvider);
    const create = vi
      .spyOn(cards, 'createPaymentIntent')
      .mockImplementation(async () => ({ id: `sbx_pi_${create.mock.calls.length}`, clientSecret: 'none' }));
    expect(resultOf(await member.requestIntent('three_exports_usd', 3))).toEqual([503, 'service.unavailable']);
    expect(create).toHaveBeenCalledTimes(3);
  });
});
