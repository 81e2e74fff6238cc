import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../../test/support/application.js';
import { DAY_SECONDS, newKey, SandboxClient } from '../../../test/support/billing/sandbox-provider.js';

let api: TestApi;
let sandbox: SandboxClient;
beforeAll(async () => {
  api = await startApi();
  sandbox = new SandboxClient(api);
});
afterAll(() => api.stop());

describe('the wallet', () => {
  const agree = async (planId: string | null): Promise<string> => {
    const { body } = await api.http
      .post('/api/sandbox/payments/wallet/subscriptions')
      .send({ plan_id: planId, custom_id: 'buyer-2' })
      .expect(201);
    return body.subscription_id;
  };

  it("starts with the plan's trial, or with a charge", async () => {
    const { withTrial, withoutTrial } = sandbox.prices.walletPlansOf('business_monthly_usd');
    expect(await sandbox.read(await agree(withoutTrial))).toMatchObject({
      provider: 'paypal',
      customerId: null,
      reference: 'buyer-2',
      status: 'active',
      paidCents: 5199,
      // The payer's account.
      fingerprint: expect.any(String),
    });
    const trial = await sandbox.read(await agree(withTrial));
    expect(trial).toMatchObject({ status: 'trialing', paidCents: 0 });
    expect(sandbox.prices.priceOf(trial.priceId)).toBe('business_monthly_usd');
    await sandbox.advance(7 * DAY_SECONDS);
    expect(await sandbox.read(trial.id)).toMatchObject({ status: 'active', paidCents: 5199 });
  });

  it('ends at once and permanently', async () => {
    const id = await agree(sandbox.prices.walletPlansOf('personal_weekly_usd').withoutTrial);
    expect(await sandbox.wallet.endSubscription(id, newKey())).toMatchObject({ status: 'canceled' });
    expect((await sandbox.events(id)).at(-1)).toBe('BILLING.SUBSCRIPTION.CANCELLED');
    expect(await sandbox.cards.readSubscription(id)).toBeNull();
  });

  it('has no plan for a pack or an unknown price', async () => {
    expect(sandbox.prices.walletPlansOf('three_exports_usd')).toEqual({ withTrial: null, withoutTrial: null });
    await api.http
      .post('/api/sandbox/payments/wallet/subscriptions')
      .send({ plan_id: 'sbx_plan_none', custom_id: 'buyer-2' })
      .expect(404);
  });
});

describe('prices', () => {
  it('map to ids and back', () => {
    expect(sandbox.prices.idOf('personal_weekly_usd')).toBe('sbx_price_personal_weekly_usd');
    expect(sandbox.prices.priceOf('sbx_price_single_export_eur')).toBe('single_export_eur');
    expect(sandbox.prices.priceOf('sbx_plan_personal_weekly_usd_ft')).toBe('personal_weekly_usd');
    for (const none of ['personal_weekly_usd', 'sbx_price_none', 'sbx_plan_single_export_usd', '']) {
      expect(sandbox.prices.priceOf(none)).toBeUndefined();
    }
    expect(() => sandbox.prices.idOf('none')).toThrow();
  });
});

describe("the script in place of PayPal's SDK", () => {
  const CLIENT = 'sbx_client_tests';
  const call = (path: string, body: object) => api.http.post(`/api/sandbox/paypal-sdk/${path}`).send(body);
  const amount = { currency_code: 'USD', value: '9.99' };
  const order = { client_id: CLIENT, custom_id: 'buyer-3', currency: 'USD', amount };

  it('is served with the checkout', async () => {
    const { status, text } = await api.http.get('/api/sandbox/scripts/paypal.js?client-id=x&intent=capture');
    expect(status).toBe(200);
    expect(text).toContain('createSubscription');
  });

  it('creates what a payer approves once', async () => {
    const { body } = await call('orders', order).expect(201);
    expect(body).toEqual({ id: expect.stringMatching(/^sbx_ch_/), sum: '$9.99', note: 'Paid once.' });
    const approve = () => call(`orders/${body.id}/approve`, { client_id: CLIENT }).expect(204);
    await Promise.all([approve(), approve()]);
    const subject = `/api/sandbox/webhooks?subject_id=${body.id}`;
    const events = (await api.http.get(subject).expect(200)).body.data as { type: string }[];
    expect(events.map(({ type }) => type)).toEqual(['CHECKOUT.ORDER.APPROVED']);
  });

  it.each([
    ['an unknown plan', 'subscriptions', { client_id: CLIENT, plan_id: 'none', custom_id: 'buyer-3' }, 404],
    ['another client', 'orders', { ...order, client_id: 'none' }, 422],
    ["another currency than the script's", 'orders', { ...order, currency: 'EUR' }, 422],
    ['an unknown parameter', 'orders', { ...order, payee: 'other' }, 422],
    ['an unknown order', 'orders/none/approve', { client_id: CLIENT }, 404],
  ])('rejects %s', async (_name, path, body, status) => {
    expect((await call(path, body)).status).toBe(status);
  });
});
