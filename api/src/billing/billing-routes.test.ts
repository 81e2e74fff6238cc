import {
  pathOf,
  paymentRoutes,
  priceRoutes,
  type RouteSpec,
  requiresCaller,
  subscriptionRoutes,
  upgradeRoutes,
  videoLimitRoutes,
} from '@clearframe/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { Customer, price, routePath } from '../../test/support/billing/customer.js';

let api: TestApi;
let member: Customer;
beforeAll(async () => {
  api = await startApi();
  member = await Customer.member(api);
});
afterAll(() => api.stop());

const ROUTES_UNDER_TEST: readonly RouteSpec[] = [
  priceRoutes,
  paymentRoutes,
  subscriptionRoutes,
  upgradeRoutes,
  videoLimitRoutes,
].flatMap((rows): RouteSpec[] => Object.values(rows));
const named = (rows: readonly RouteSpec[]) => rows.map((row) => [`${row.method} ${row.path}`, row] as const);
const concrete = (row: RouteSpec): string =>
  pathOf(row).replace(':provider', 'stripe').replace(':paymentId', 'sbx_pi_x');
const METHODS = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const;
const ask = (row: RouteSpec) => api.http[METHODS[row.method]](concrete(row));

describe('every billing route', () => {
  it.each(named(ROUTES_UNDER_TEST.filter(requiresCaller)))('%s requires a token', async (_name, row) => {
    for (const requested of [ask(row), ask(row).auth('not.a.token', { type: 'bearer' })]) {
      const { status, body } = await requested;
      expect([status, body.error_code]).toEqual([401, 'users.not_authorized']);
    }
  });

  it.each(named(ROUTES_UNDER_TEST.filter(({ body }) => body)))(
    '%s rejects bodies that are not JSON',
    async (_name, row) => {
      const { status, body } = await ask(row)
        .auth(member.visitor.token, { type: 'bearer' })
        .set('content-type', 'application/json')
        .send('{"price_id": ');
      expect([status, body.error_code]).toEqual([400, 'request.malformed']);
    },
  );

  it('accepts an Idempotency-Key when it starts a payment', () => {
    const beginning = ROUTES_UNDER_TEST.filter(({ method, takesMoney }) => method === 'POST' && takesMoney);
    expect(beginning.filter(({ idempotent }) => !idempotent)).toEqual([]);
  });
});

describe('GET /stripe/prices', () => {
  const prices = (...names: string[]) =>
    api.http.get(routePath(`/stripe/prices?${names.map((name) => `price_id=${name}`).join('&')}`));

  it('returns prices in the requested order, one or many, without a token', async () => {
    const names = ['business_yearly_eur', 'personal_intro_usd', 'ten_exports_usd'].map(price);
    const { body } = await prices(...names).expect(200);
    expect(body.prices.map((found: { price_id: string }) => found.price_id)).toEqual(names);
    expect(body.prices).toMatchObject([
      { id: 'business_yearly_eur', amount_cents: 52099, currency: 'eur', recurring_interval: 'week', exports: null },
      { amount_cents: 99, recurring_interval: 'week', recurring_interval_count: 1, exports: 20 },
      { amount_cents: 2499, recurring_interval: null, recurring_interval_count: null, paypal_plan_id: null },
    ]);
    expect(body.prices[0].recurring_interval_count).toBe(52);
    expect(body.prices[0].paypal_plan_id).not.toBe(body.prices[0].paypal_plan_no_ft_id);
    expect((await prices(price('personal_weekly_usd')).expect(200)).body.prices).toHaveLength(1);
  });

  it('finds former prices, but none outside the catalogue', async () => {
    await prices(price('personal_weekly_former_usd')).expect(200);
    for (const names of [['nothing'], [price('personal_weekly_usd'), price('personal_weekly_gbp')]]) {
      expect((await prices(...names).expect(404)).body.error_code).toBe('prices.not_found');
    }
    expect((await api.http.get(routePath('/stripe/prices')).expect(422)).body.error_code).toBe('request.invalid');
  });
});

describe('POST /stripe/intents', () => {
  it('prepares a payment method at the only provider account', async () => {
    const { body } = await member.visitor.post('/stripe/intents', { stripe_account: 'DK' }).expect(201);
    expect(Object.keys(body)).toEqual(['client_secret']);
    await member.visitor.post('/stripe/intents', {}).expect(201);
    const { body: refused } = await member.visitor.post('/stripe/intents', { stripe_account: 'US' }).expect(422);
    expect(refused.error_code).toBe('request.invalid');
  });

  it('returns the same for the same key', async () => {
    const key = { 'idempotency-key': 'setup-1' };
    const [first, second] = [
      await member.visitor.post('/stripe/intents', {}, key),
      await member.visitor.post('/stripe/intents', {}, key),
    ];
    expect(second.body).toEqual(first.body);
  });
});
