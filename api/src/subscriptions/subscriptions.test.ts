import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { advance, CARDS, Customer, controlsOf, faultsOf, price } from '../../test/support/billing/customer.js';
import { until } from '../../test/support/until.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

type ApiResult = { status: number; body: { error_code?: string; details?: object } };
const resultOf = ({ status, body }: ApiResult) => [status, body.error_code];
const plan = async (customer: Customer) => {
  const { monetization, limits } = await customer.me();
  return { isSubscribed: monetization.is_subscribed, exports: limits.exports };
};
const rowsOf = async (customer: Customer) =>
  api.sql<{ status: string }>('SELECT status FROM subscriptions WHERE user_id = $1', [await customer.userId()]);

async function subscribeWithLostResponses(member: Customer, method: string): Promise<ApiResult> {
  await controlsOf(api).webhooks('withheld');
  // The first request reads the payment method.
  const { reached, release } = faultsOf(api).holdNextResponse();
  const pendingRequest = member.requestSubscription('personal_weekly_usd', { method });
  await reached;
  faultsOf(api).loseNextResponse();
  release();
  return pendingRequest;
}

describe('the role of a user', () => {
  it('is derived from purchases', async () => {
    const member = await Customer.member(api);
    const role = async () => (await member.me()).role;
    expect(await role()).toBe('base');
    await member.buy();
    expect(await role()).toBe('credits');
    await member.requestSubscription('personal_weekly_usd', { unlocked_exports: 3 });
    expect(await role()).toBe('personal');
    await member.moveToPrice('business_weekly_usd');
    expect(await role()).toBe('business');
  });
});

describe('fifty subscriptions at once', () => {
  it('all start, each with one charge', { timeout: 900_000 }, async () => {
    const members: Customer[] = [];
    while (members.length < 50) members.push(...(await Promise.all([1, 2, 3, 4, 5].map(() => Customer.member(api)))));
    const methods: string[] = [];
    for (const member of members) methods.push(await member.method());
    const responses = await Promise.all(
      members.map((member, index) => member.requestSubscription('personal_weekly_usd', { method: methods[index] })),
    );
    expect(responses.map(({ status, body }) => [status, body.status])).toEqual(Array(50).fill([201, 'active']));
    const charges = await Promise.all(members.map((member) => member.charges()));
    expect(charges).toEqual(Array(50).fill([999]));
  });
});

describe('subscribing with credits left', () => {
  it('is rejected unconfirmed, without loss of credits (case 4)', async () => {
    const member = await Customer.member(api);
    await member.buy();
    for (const unlocked_exports of [0, 2, 4]) {
      const response = await member.requestSubscription('personal_weekly_usd', { unlocked_exports });
      expect(resultOf(response)).toEqual([409, 'billing.forfeit_unconfirmed']);
      expect(response.body.details).toEqual({ available_credits: 3 });
    }
    expect(await member.credits()).toBe(3);
    expect(await rowsOf(member)).toEqual([]);
  });

  it('keeps them while incomplete, until it starts (cases 5 and 6)', async () => {
    const member = await Customer.member(api);
    await member.buy();
    const options = { card: CARDS.firstChargeFails, unlocked_exports: 3 };
    const { body } = await member.requestSubscription('personal_weekly_usd', options);
    expect(body.status).toBe('incomplete');
    expect(await member.credits()).toBe(3);
    expect(await plan(member)).toEqual({ isSubscribed: false, exports: 0 });
    expect((await member.me()).monetization.has_incomplete_subscription).toBe(true);
    await controlsOf(api).payOpenInvoice(body.subscription_id, CARDS.good);
    await until(async () => (await plan(member)).isSubscribed, 'the subscription');
    expect(await member.credits()).toBe(0);
  });

  it('forfeits them when confirmed and active (case 6)', async () => {
    const member = await Customer.member(api);
    await member.buy();
    await member.subscribe('personal_weekly_usd', { unlocked_exports: 3 });
    expect(await member.credits()).toBe(0);
    expect(await plan(member)).toEqual({ isSubscribed: true, exports: 20 });
    expect(resultOf(await member.visitor.post('/stripe/payment_intents', {}))).toEqual([422, 'request.invalid']);
  });
});

describe('subscribing', () => {
  it('twice at once creates one subscription and one charge (case 27)', async () => {
    const member = await Customer.member(api);
    const method = await member.method();
    const pendingRequest = Array.from({ length: 5 }, () =>
      member.requestSubscription('personal_monthly_usd', { method }),
    );
    const responses = await Promise.all(pendingRequest);
    expect(responses.map(({ status }) => status)).toEqual(new Array(5).fill(201));
    expect(new Set(responses.map(({ body }) => body.subscription_id)).size).toBe(1);
    expect(await member.charges()).toHaveLength(1);
    const again = await member.requestSubscription('personal_monthly_usd');
    expect(again.body.subscription_id).toBe(responses[0]?.body.subscription_id);
  });

  it('in two tabs to different prices succeeds in one', async () => {
    const member = await Customer.member(api);
    const method = await member.method();
    const responses = await Promise.all(
      ['personal_weekly_usd', 'business_weekly_usd'].map((name) => member.requestSubscription(name, { method })),
    );
    expect(responses.map(resultOf).sort()).toEqual([
      [201, undefined],
      [409, 'subscriptions.exists'],
    ]);
    expect(await member.charges()).toHaveLength(1);
  });

  it('finds the subscription whose response was lost, also when repeated', async () => {
    const member = await Customer.member(api);
    const method = await member.method();
    expect(resultOf(await subscribeWithLostResponses(member, method))).toEqual([503, 'service.unavailable']);
    expect(await rowsOf(member)).toEqual([{ status: 'pending' }]);
    const again = await member.requestSubscription('personal_weekly_usd', { method });
    expect(again.body.status).toBe('active');
    await controlsOf(api).webhooks('sent');
    expect(await member.charges()).toHaveLength(1);
  });

  it('is completed by the sweep after an interruption', async () => {
    const member = await Customer.member(api);
    const method = await member.method();
    await subscribeWithLostResponses(member, method);
    const sql = `UPDATE subscriptions SET next_check_at = now() WHERE user_id = $1`;
    await api.sql(sql, [await member.userId()]);
    await until(async () => (await plan(member)).isSubscribed, 'the sweep');
    await controlsOf(api).webhooks('sent');
    expect(await member.charges()).toHaveLength(1);
  });

  it("with another user's payment method is rejected", async () => {
    const [member, other] = [await Customer.member(api), await Customer.member(api)];
    const response = await member.requestSubscription('personal_weekly_usd', { method: await other.method() });
    expect(resultOf(response)).toEqual([422, 'payments.method_not_usable']);
    expect(resultOf(await member.requestSubscription('personal_weekly_usd', { method: 'sbx_pm_none' }))).toEqual([
      422,
      'payments.method_not_usable',
    ]);
  });

  it.each([
    ['an unknown price', 'none_weekly_usd', {}, [404, 'prices.not_found']],
    ['a former price (case 22)', 'personal_weekly_former_usd', {}, [422, 'prices.not_for_sale']],
    ['a pack', 'three_exports_usd', {}, [422, 'prices.not_for_sale']],
    ['the intro price by itself', 'personal_intro_usd', {}, [422, 'prices.not_for_sale']],
    [
      'another plan’s intro price',
      'personal_weekly_usd',
      { intro_price_id: price('business_intro_usd') },
      [422, 'prices.not_for_sale'],
    ],
    [
      'trial and intro at once',
      'personal_weekly_usd',
      { trial: true, intro_price_id: price('personal_intro_usd') },
      [409, 'billing.intro_unavailable'],
    ],
  ])('to %s is rejected', async (_what, name, options, expected) => {
    const member = await Customer.member(api);
    expect(resultOf(await member.requestSubscription(name, options))).toEqual(expected);
  });

  it('requires a payment method and a token', async () => {
    const member = await Customer.member(api);
    const path = '/stripe/subscriptions';
    expect(resultOf(await member.visitor.post(path, { price_id: 'x' }))).toEqual([422, 'request.invalid']);
    expect(resultOf(await api.http.post(`/api/v1/web${path}`).send({}))).toEqual([401, 'users.not_authorized']);
  });

  it('shows the plan of a former price (case 22)', async () => {
    const member = await Customer.member(api);
    await member.subscribe();
    await member.moveToPrice('personal_weekly_former_usd');
    expect(await plan(member)).toEqual({ isSubscribed: true, exports: 20 });
    expect((await member.me()).monetization.price_id).toBe(price('personal_weekly_former_usd'));
  });
});

describe('a running subscription', () => {
  it('ends with its period unless charged (case 11), and starts again when it is', async () => {
    const [payer, broke] = [await Customer.member(api), await Customer.member(api)];
    await payer.subscribe();
    await controlsOf(api).failFutureCharges(await broke.subscribe());
    await advance(api, { days: 7 });
    await until(async () => !(await plan(broke)).isSubscribed, 'the failed renewal');
    await until(async () => (await plan(payer)).isSubscribed, 'the renewal');
    expect((await broke.me()).monetization.subscription_id).not.toBeNull();
    await advance(api, { days: 6 });
    await until(async () => (await broke.me()).monetization.subscription_id === null, 'the end');
    await broke.subscribe();
  });

  it('ends at once with a dispute', async () => {
    const member = await Customer.member(api);
    await controlsOf(api).dispute(await member.subscribe());
    await until(async () => !(await plan(member)).isSubscribed, 'the dispute');
  });

  it("has the provider's state and one grant after events in any order and number (case 25)", async () => {
    const member = await Customer.member(api);
    await controlsOf(api).webhooks('withheld');
    const id = await member.subscribe();
    await member.visitor.delete('/stripe/subscriptions').expect(200);
    await controlsOf(api).webhooks('sent');
    await controlsOf(api).deliverEvents();
    const events = await api.sql<{ id: string }>(
      'SELECT id FROM sandbox.events WHERE subject_id = $1 ORDER BY seq DESC',
      [id],
    );
    for (const { id: event_id } of events) {
      await api.http.post('/api/sandbox/webhooks').send({ event_id, times: 3 });
    }
    const { body } = await member.visitor.get('/stripe/subscriptions').expect(200);
    expect(body).toMatchObject({ status: 'active', has_been_canceled: true });
    const taken = await api.sql('SELECT FROM webhook_events WHERE subject_id = $1', [id]);
    expect(taken).toHaveLength(events.length);
    expect(await member.charges()).toHaveLength(1);
  });
});
