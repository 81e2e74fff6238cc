import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { Customer, controlsOf, walletFaultsOf } from '../../test/support/billing/customer.js';
import { until } from '../../test/support/until.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const RIGHT = { amount_cents: 999, currency: 'usd', unlocked_exports: 3 };
const charge = (customer: Customer, chargeId: string, body: object = {}) =>
  customer.visitor.post('/paypal/charges', { charge_id: chargeId, ...RIGHT, ...body });
const resultOf = async (requested: PromiseLike<{ status: number; body: { error_code?: string } }>) => {
  const { status, body } = await requested;
  return [status, body.error_code];
};
const capturedOf = async (chargeId: string) =>
  (await api.sql<{ status: string }>('SELECT status FROM ledger.orders WHERE id = $1', [chargeId]))[0]?.status;

describe('a charge by wallet', () => {
  it('is captured and granted once, however often it is reported', async () => {
    const member = await Customer.member(api);
    const id = await member.walletCharge(999, 'usd');
    const requested = await Promise.all(Array.from({ length: 6 }, () => charge(member, id)));
    expect(requested.map(({ status }) => status)).toEqual(new Array(6).fill(201));
    expect(requested.at(-1)?.body).toEqual({ status: 'succeeded', available_credits: 3 });
    expect(await member.credits()).toBe(3);
    expect(await capturedOf(id)).toBe('captured');
  });

  it('may leave out the address of its payer', async () => {
    const member = await Customer.member(api);
    for (const paypal_email_address of ['', null, 'payer..one@example.com']) {
      await charge(member, await member.walletCharge(999, 'usd'), { paypal_email_address }).expect(201);
    }
    const { body } = await member.visitor.get('/users/@me/export').expect(200);
    const addresses = body.payments.map(({ payer_email }: { payer_email: string | null }) => payer_email);
    expect(addresses.filter((address: string | null) => address === '')).toEqual([]);
    expect(addresses).toContain('payer..one@example.com');
  });

  it('gets the same result from a concurrent request that finishes later', async () => {
    const member = await Customer.member(api);
    const id = await member.walletCharge(999, 'usd');
    const { reached, release } = walletFaultsOf(api).holdNextResponse();
    const slow = resultOf(charge(member, id));
    await reached;
    await charge(member, id).expect(201);
    release();
    expect(await slow).toEqual([201, undefined]);
    expect(await member.credits()).toBe(3);
  });

  it("may name its payer by the identity provider's id", async () => {
    const [member, other] = [await Customer.member(api), await Customer.member(api)];
    const { id, web_user_id } = await member.me();
    expect(id).not.toBe(web_user_id);
    const chargeId = await member.walletCharge(999, 'usd', id);
    expect(await resultOf(charge(other, chargeId))).toEqual([404, 'payments.not_found']);
    await charge(member, chargeId).expect(201);
    expect(await resultOf(charge(member, await member.walletCharge(999, 'usd', '')))).toEqual([
      404,
      'payments.not_found',
    ]);
  });

  it('reported by another user is rejected, reveals nothing, and stays valid for its owner (case 28)', async () => {
    const [owner, thief] = [await Customer.member(api), await Customer.member(api)];
    const id = await owner.walletCharge(999, 'usd');
    expect(await resultOf(charge(thief, id))).toEqual([404, 'payments.not_found']);
    expect(await resultOf(charge(thief, 'sbx_ch_none'))).toEqual([404, 'payments.not_found']);
    expect(await capturedOf(id)).toBe('approved');
    await charge(owner, id).expect(201);
    expect(await resultOf(charge(thief, id))).toEqual([404, 'payments.not_found']);
    expect([await owner.credits(), await thief.credits()]).toEqual([3, 0]);
  });

  it.each([
    ['of one cent', [1, 'usd'], {}],
    ['in the other currency', [999, 'eur'], {}],
    ['said to be of one cent', [999, 'usd'], { amount_cents: 1 }],
    ['said to be in the other currency', [999, 'usd'], { currency: 'eur' }],
  ] as const)('%s is rejected and not captured (case 29)', async (_what, [cents, currency], body) => {
    const member = await Customer.member(api);
    const id = await member.walletCharge(cents, currency);
    expect(await resultOf(charge(member, id, body))).toEqual([422, 'payments.mismatch']);
    expect(await capturedOf(id)).toBe('approved');
    expect(await member.credits()).toBe(0);
  });

  it('for a number of downloads without a pack is rejected', async () => {
    const member = await Customer.member(api);
    const id = await member.walletCharge(999, 'usd');
    expect(await resultOf(charge(member, id, { unlocked_exports: 4 }))).toEqual([422, 'billing.exports_mismatch']);
    expect(await resultOf(charge(member, id, { unlocked_exports: 20 }))).toEqual([422, 'payments.mismatch']);
  });

  it('can be reported again after an outage of the wallet', async () => {
    const member = await Customer.member(api);
    const id = await member.walletCharge(999, 'usd');
    walletFaultsOf(api).disconnect();
    expect(await resultOf(charge(member, id))).toEqual([503, 'service.unavailable']);
    walletFaultsOf(api).reconnect();
    await charge(member, id).expect(201);
    expect(await member.credits()).toBe(3);
  });

  it("shows the payer's address in the export only", async () => {
    const member = await Customer.member(api);
    const id = await member.walletCharge(2499, 'usd');
    const body = { amount_cents: 2499, unlocked_exports: 10, paypal_email_address: 'payer@example.com' };
    const { body: response } = await charge(member, id, body).expect(201);
    expect(JSON.stringify(response)).not.toContain('payer');
  });

  it('loses its downloads with a refund or dispute', async () => {
    const member = await Customer.member(api);
    const [first, second] = [await member.walletCharge(999, 'usd'), await member.walletCharge(999, 'usd')];
    await charge(member, first).expect(201);
    await charge(member, second).expect(201);
    await controlsOf(api).refundPayment(first, 333);
    await until(async () => (await member.credits()) === 5, 'the refund');
    await controlsOf(api).dispute(second);
    await until(async () => (await member.credits()) === 2, 'the dispute');
  });

  it.each([
    ['no id', { charge_id: undefined }],
    ['an amount that is none', { amount_cents: -5 }],
    ['a currency that is none', { currency: 'gbp' }],
    ['an invalid address', { paypal_email_address: 'not-an-address' }],
  ])('with %s is rejected', async (_what, body) => {
    const member = await Customer.member(api);
    expect(await resultOf(charge(member, 'sbx_ch_x', body))).toEqual([422, 'request.invalid']);
  });

  it('needs a token', async () => {
    expect(await resultOf(api.http.post('/api/v1/web/paypal/charges').send({ charge_id: 'x', ...RIGHT }))).toEqual([
      401,
      'users.not_authorized',
    ]);
  });
});
