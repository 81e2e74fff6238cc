import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { advance, Customer, controlsOf, faultsOf, price, resultOf } from '../../test/support/billing/customer.js';
import { retryNow } from '../../test/support/scheduled.js';
import { until } from '../../test/support/until.js';
import { CardProvider } from '../providers/payment-provider.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const PREVIEW = '/stripe/subscriptions/upgrade/preview';
const preview = async (customer: Customer) => (await customer.visitor.get(PREVIEW).expect(200)).body;
const upgrade = (customer: Customer, name = 'business_weekly_usd', body: object = {}) =>
  customer.visitor.put('/stripe/subscriptions/upgrade', { new_price_id: price(name), ...body });
const onlyBusiness = [price('business_weekly_usd')];
const isDone = async (customer: Customer) => {
  const [row] = await api.sql<{ step: string }>('SELECT step FROM upgrades WHERE user_id = $1', [
    await customer.userId(),
  ]);
  return row?.step === 'done';
};
const sweepNow = async (customer: Customer) => {
  await api.sql(`UPDATE upgrades SET next_check_at = now() WHERE user_id = $1`, [await customer.userId()]);
  await retryNow(api);
};

describe('a change of period', () => {
  it('is like an upgrade: the new one is charged, the unused part of the old one refunded', async () => {
    const member = await Customer.member(api);
    await member.subscribe();
    await advance(api, { days: 2 });
    const requested = `${PREVIEW}?new_price_id=${price('personal_yearly_usd')}`;
    const { body: promised } = await member.visitor.get(requested).expect(200);
    expect(promised).toMatchObject({ days_left: 5, is_trialing: false });
    await upgrade(member, 'personal_yearly_usd').expect(200);
    expect(await member.runningPrices()).toEqual([price('personal_yearly_usd')]);
    expect(await member.charges()).toEqual([999 - promised.remaining_amount_cents, 26099]);
    expect((await member.me()).limits.exports).toBe(1040);
    // A second click gets the same response; another change reverts.
    await upgrade(member, 'personal_yearly_usd').expect(200);
    expect(await member.charges()).toHaveLength(2);
    await upgrade(member, 'personal_monthly_usd').expect(200);
    expect(await member.runningPrices()).toEqual([price('personal_monthly_usd')]);
  });

  it('keeps used exports, so that changing back and forth gives no more', async () => {
    const member = await Customer.member(api);
    const subscriptionId = await member.subscribe();
    await api.sql(
      `INSERT INTO export_uses (task_id, id, user_id, source, subscription_id, period_start, is_kept, created_at)
       SELECT gen_random_uuid(), gen_random_uuid(), user_id, 'period', id, current_period_start, true, now()
       FROM subscriptions, generate_series(1, 20) WHERE provider_id = $1`,
      [subscriptionId],
    );
    await upgrade(member, 'personal_monthly_usd').expect(200);
    expect((await member.me()).limits).toEqual({ exports: 80, exports_used: 20 });
    await upgrade(member, 'personal_weekly_usd').expect(200);
    expect((await member.me()).limits).toEqual({ exports: 20, exports_used: 20 });
  });

  it('works in business and by wallet, never to a shorter period', async () => {
    const business = await Customer.member(api);
    await business.subscribe('business_weekly_usd');
    expect(resultOf(await upgrade(business, 'personal_yearly_usd'))).toEqual([409, 'subscriptions.not_upgradable']);
    await upgrade(business, 'business_yearly_usd').expect(200);
    const payer = await Customer.member(api);
    const old = await payer.walletSubscription('personal_weekly_usd');
    await payer.visitor.post('/paypal/subscriptions', { subscription_id: old }).expect(201);
    const next = await payer.walletSubscription('personal_yearly_usd');
    const path = '/paypal/subscriptions/upgrade';
    await payer.visitor.put(path, { new_subscription_id: next }).expect(200);
    await until(() => isDone(payer), 'the change');
    expect((await payer.me()).monetization).toMatchObject({
      subscription_provider: 'paypal',
      subscription_id: next,
      price_id: price('personal_yearly_usd'),
    });
  });
});

describe('an upgrade', () => {
  it('refunds to the cent what the preview showed seconds before (case 14)', async () => {
    const member = await Customer.member(api);
    await member.subscribe();
    await advance(api, { days: 2 });
    const before = await preview(member);
    expect(before).toMatchObject({ currency: 'usd', days_left: 5, is_trialing: false });
    await advance(api, { seconds: 5 });
    const { body } = await upgrade(member).expect(200);
    expect(body.status).toBe('active');
    expect(await member.runningPrices()).toEqual(onlyBusiness);
    expect(await member.charges()).toEqual([999 - before.remaining_amount_cents, 1999]);
    expect((await member.me()).monetization).toMatchObject({
      subscription_id: body.subscription_id,
      price_id: price('business_weekly_usd'),
    });
    expect((await member.me()).limits.exports).toBeNull();
  });

  it('in a trial charges at once and refunds nothing (case 13)', async () => {
    const member = await Customer.member(api);
    await member.subscribe('personal_weekly_usd', { trial: true });
    await advance(api, { days: 1 });
    expect(await preview(member)).toMatchObject({ remaining_amount_cents: 0, is_trialing: true, days_left: 6 });
    await upgrade(member).expect(200);
    expect(await member.charges()).toEqual([1999]);
    await advance(api, { days: 4 });
    const mails = `SELECT FROM mail_messages WHERE recipient = $1 AND subject LIKE '%trial ends%'`;
    expect(await api.sql(mails, [(await member.me()).email])).toEqual([]);
  });

  it('in an intro week refunds at most 99 cents (case 15)', async () => {
    const member = await Customer.member(api);
    await member.subscribe('personal_weekly_usd', { intro_price_id: price('personal_intro_usd'), version: 'ip' });
    expect((await preview(member)).remaining_amount_cents).toBe(99);
    await upgrade(member).expect(200);
    expect(await member.charges()).toEqual([0, 1999]);
  });

  it('after a partial refund refunds at most the rest (case 16)', async () => {
    const member = await Customer.member(api);
    const id = await member.subscribe();
    await api.app.get(CardProvider, { strict: false }).refundSubscription(id, 900, `staff:${id}`);
    expect((await preview(member)).remaining_amount_cents).toBe(99);
    await upgrade(member).expect(200);
    expect(await member.charges()).toEqual([0, 1999]);
  });

  it('requested twice at once is one', async () => {
    const member = await Customer.member(api);
    await member.subscribe();
    const responses = await Promise.all([upgrade(member), upgrade(member), upgrade(member)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(responses.map(({ body }) => body.subscription_id)).size).toBe(1);
    await until(() => isDone(member), 'the upgrade');
    expect(await member.runningPrices()).toEqual(onlyBusiness);
    expect(await member.charges()).toEqual([0, 1999]);
  });

  it('with a declined charge keeps personal (case 19)', async () => {
    const member = await Customer.member(api);
    const id = await member.subscribe();
    await controlsOf(api).failFutureCharges(id);
    expect(resultOf(await upgrade(member))).toEqual([402, 'payments.declined']);
    expect(await member.runningPrices()).toEqual([price('personal_weekly_usd')]);
    expect(await member.charges()).toEqual([999]);
    expect((await member.me()).limits.exports).toBe(20);
    const { body } = await member.visitor.get('/stripe/subscriptions').expect(200);
    expect(body).toMatchObject({ subscription_id: id, status: 'active', has_been_canceled: false });
  });

  it.each([
    ['creating the new subscription', 'lost response'],
    ['creating the new subscription and an outage', 'disconnect'],
  ] as const)('interrupted after %s ends with one business plan and one refund (case 18)', async (_when, how) => {
    const member = await Customer.member(api);
    // No other requests than this test's.
    await controlsOf(api).webhooks('withheld');
    await member.subscribe();
    const { remaining_amount_cents } = await preview(member);
    const { reached, release } = faultsOf(api).holdNextResponse();
    // The first request reads the running subscription.
    const pendingRequest = upgrade(member).then(({ status }) => status);
    await reached;
    faultsOf(api).loseNextResponse();
    release();
    expect(await pendingRequest).toBe(503);
    if (how === 'disconnect') {
      faultsOf(api).disconnect();
      await sweepNow(member);
      faultsOf(api).reconnect();
    }
    await until(async () => {
      await sweepNow(member);
      return isDone(member);
    }, 'the upgrade');
    await controlsOf(api).webhooks('sent');
    expect(await member.runningPrices()).toEqual(onlyBusiness);
    expect(await member.charges()).toEqual([999 - remaining_amount_cents, 1999]);
    expect((await member.me()).limits.exports).toBeNull();
  });

  it('by wallet starts the new subscription and ends the old one', async () => {
    const member = await Customer.member(api);
    const old = await member.walletSubscription('personal_weekly_usd');
    await member.visitor.post('/paypal/subscriptions', { subscription_id: old }).expect(201);
    const { body } = await member.visitor.get('/paypal/subscriptions/upgrade/preview').expect(200);
    expect(body.remaining_amount_cents).toBe(999);
    const next = await member.walletSubscription('business_weekly_usd');
    const path = '/paypal/subscriptions/upgrade';
    const responses = await Promise.all([1, 2].map(() => member.visitor.put(path, { new_subscription_id: next })));
    for (const response of responses) expect(response.body).toEqual({ status: 'active', subscription_id: next });
    await until(() => isDone(member), 'the upgrade');
    const kept = await api.sql(
      'SELECT (amount_cents - refunded_cents) AS cents FROM ledger.charges WHERE subject_id = ANY ($1) ORDER BY cents',
      [[old, next]],
    );
    expect(kept).toEqual([{ cents: 0 }, { cents: 1999 }]);
    expect((await member.me()).monetization).toMatchObject({ subscription_provider: 'paypal', subscription_id: next });
  });

  it('of a subscription that is not running, or is business already, is rejected', async () => {
    const [unsubscribed, business] = [await Customer.member(api), await Customer.member(api)];
    for (const requested of [upgrade(unsubscribed), unsubscribed.visitor.get(PREVIEW)]) {
      expect(resultOf(await requested)).toEqual([404, 'subscriptions.not_found']);
    }
    await business.subscribe('business_weekly_usd');
    for (const requested of [upgrade(business), business.visitor.get(PREVIEW)]) {
      expect(resultOf(await requested)).toEqual([409, 'subscriptions.not_upgradable']);
    }
  });

  it.each([
    ['the price that runs', 'personal_weekly_usd', {}, [409, 'subscriptions.not_upgradable']],
    ['the other currency', 'business_weekly_eur', {}, [422, 'prices.not_for_sale']],
    ['a former price', 'business_weekly_former_usd', {}, [422, 'prices.not_for_sale']],
    ['an unknown price', 'business_daily_usd', {}, [404, 'prices.not_found']],
    [
      'an intro week',
      'business_weekly_usd',
      { intro_price_id: price('business_intro_usd') },
      [409, 'billing.intro_unavailable'],
    ],
  ])('to %s is rejected', async (_what, name, body, expected) => {
    const member = await Customer.member(api);
    await member.subscribe();
    expect(resultOf(await upgrade(member, name, body))).toEqual(expected);
    expect(await member.runningPrices()).toEqual([price('personal_weekly_usd')]);
  });

  it('requires the token of a logged-in user', async () => {
    const path = '/api/v1/web/stripe/subscriptions/upgrade';
    expect((await api.http.put(path).send({})).status).toBe(401);
    expect(resultOf(await upgrade(await Customer.guest(api)))).toEqual([403, 'billing.login_required']);
    const member = await Customer.member(api);
    expect(resultOf(await member.visitor.put('/stripe/subscriptions/upgrade', {}))).toEqual([422, 'request.invalid']);
    const toWallet = await member.visitor.put('/paypal/subscriptions/upgrade', { new_subscription_id: 'sbx_sub_none' });
    expect(resultOf(toWallet)).toEqual([404, 'subscriptions.not_found']);
  });
});
