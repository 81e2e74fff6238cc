import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../../test/support/application.js';
import { documentationOf } from '../../../test/support/hostile/documentation.js';
import { BillingClock, SystemClock } from '../billing-clock.js';
import { CardProvider, WalletProvider } from '../payment-provider.js';
import { PaymentsConfig } from '../payments.config.js';
import { ProviderPrices } from '../provider-prices.js';

describe('without a payment provider', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({ PAYMENTS_PROVIDER: 'none' });
  });
  afterAll(() => api.stop());

  it.each([
    ['POST', '/api/sandbox/payments/setup_intents/:intentId/confirm'],
    ['POST', '/api/sandbox/payments/payment_intents/:intentId/confirm'],
    ['POST', '/api/sandbox/payments/wallet/subscriptions'],
    ['POST', '/api/sandbox/payments/wallet/charges'],
    ['POST', '/api/sandbox/clock'],
    ['GET', '/api/sandbox/webhooks'],
    ['POST', '/api/sandbox/webhooks'],
  ])('%s %s does not exist', async (method, path) => {
    const address = path.replace(/:\w+/, 'sbx_pi_1');
    const { body } = method === 'GET' ? await api.http.get(address) : await api.http.post(address).send({});
    expect(body).toMatchObject({ status: 404, error_code: 'request.not_found' });
  });

  it.each(['checkout', 'authenticate', 'wallet/subscription', 'wallet/charge', 'portal/x'])(
    'the page %s does not exist',
    async (page) => {
      await api.http.get(`/api/sandbox/pages/${page}`).expect(404);
    },
  );

  it.each(['..', '%2e%2e'])('does not exist behind %s either', async (up) => {
    const path = `/api/sandbox/identity/${up}/webhooks`;
    const status = await new Promise((resolve, reject) => {
      request(`${api.url}`, { path }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(404);
  });

  it('the sandbox does not exist and is not documented', async () => {
    expect(api.app.get(BillingClock)).toBeInstanceOf(SystemClock);
    expect(Object.keys((await documentationOf(api)).paths)).not.toContain('/api/sandbox/clock');
    await api.http.get('/api/sandbox/identity/accounts').query({ email: 'a@example.com' }).expect(200);
  });

  it('settings contain no payment form', async () => {
    const settings = { local_storage_id: 'x', device_type: 'desktop', language: 'en' };
    const { body } = await api.http.post('/api/v1/web/settings').send(settings).expect(200);
    expect(body.payments).toEqual({ stripe: null, paypal: null });
  });

  it('pages show prices, which cannot be bought', async () => {
    const { body } = await api.http.get('/api/v1/web/stripe/prices?price_id=personal_weekly_usd').expect(200);
    expect(body.prices).toMatchObject([
      { id: 'personal_weekly_usd', price_id: 'personal_weekly_usd', amount_cents: 999 },
    ]);
    const member = await api.member();
    const { body: refused } = await member.post('/checkouts', { price_id: 'personal_weekly_usd' });
    expect(refused.error_code).toBe('service.not_configured');
  });

  it('keeps no ledger of a provider', async () => {
    const tables = await api.sql(
      `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'
         AND table_name IN ('sandbox_company', 'sandbox_orders', 'sandbox_subscriptions', 'sandbox_charges', 'sandbox_events')`,
    );
    expect(tables).toEqual([]);
  });

  it("requests fail as not configured, and the clock is the system's", async () => {
    for (const provider of [api.app.get(CardProvider), api.app.get(WalletProvider)]) {
      await expect(provider.readPayment('sbx_pi_1')).rejects.toMatchObject({
        code: 'service.not_configured',
        message: 'trying to use payments, but this service has not been configured',
      });
    }
    expect(api.app.get(ProviderPrices).priceOf('sbx_price_personal_weekly_usd')).toBeUndefined();
    const before = Date.now();
    const now = api.app.get(BillingClock).now().getTime();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });
});

describe('in production', () => {
  it('the sandbox is rejected, and payments are off unless configured', () => {
    const production = { CLEARFRAME_ENV: 'production' };
    expect(() => PaymentsConfig.fromEnvironment({ ...production, PAYMENTS_PROVIDER: 'sandbox' })).toThrow(
      /^PAYMENTS_PROVIDER: [^\n]*refused in production$/,
    );
    expect(PaymentsConfig.fromEnvironment(production).provider).toBe('none');
    expect(PaymentsConfig.fromEnvironment({ SANDBOX_URL: 'http://127.0.0.1:4002' }).provider).toBe('sandbox');
    expect(() => PaymentsConfig.fromEnvironment({ PAYMENTS_PROVIDER: 'unknown' })).toThrow(/^PAYMENTS_PROVIDER: /);
  });
});
