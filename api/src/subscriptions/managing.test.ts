import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { advance, Customer, price, resultOf, routePath } from '../../test/support/billing/customer.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

describe('reading a subscription', () => {
  it("returns its state and the portal's URL", async () => {
    const member = await Customer.member(api);
    const id = await member.subscribe();
    const { body } = await member.visitor.get('/stripe/subscriptions').expect(200);
    expect(body).toMatchObject({
      subscription_id: id,
      status: 'active',
      price_id: price('personal_weekly_usd'),
      has_been_canceled: false,
      cancellation_date: null,
      trial_end: null,
      portal_session_url: expect.stringMatching(/^http/),
    });
    expect(body.portal_session_url).toContain(api.providers.pagesUrl);
    expect((await fetch(body.portal_session_url)).status).toBe(200);
  });

  it('finds none, none at the other provider, and requires a token', async () => {
    const [unsubscribed, member] = [await Customer.member(api), await Customer.member(api)];
    await member.subscribe();
    for (const requested of [
      unsubscribed.visitor.get('/stripe/subscriptions'),
      unsubscribed.visitor.delete('/stripe/subscriptions'),
      unsubscribed.visitor.post('/stripe/subscriptions/restart'),
      member.visitor.get('/paypal/subscriptions'),
      member.visitor.get('/square/subscriptions'),
    ]) {
      expect(resultOf(await requested)).toEqual([404, 'subscriptions.not_found']);
    }
    expect((await api.http.get(routePath('/stripe/subscriptions'))).status).toBe(401);
  });
});

describe('cancelling', () => {
  it('keeps it until its end, is idempotent and can be reverted', async () => {
    const member = await Customer.member(api);
    await member.subscribe();
    const restart = () => member.visitor.post('/stripe/subscriptions/restart');
    expect(resultOf(await restart())).toEqual([409, 'subscriptions.not_restartable']);
    const first = await member.visitor.delete('/stripe/subscriptions').expect(200);
    expect(first.body).toMatchObject({ status: 'active', has_been_canceled: true });
    expect(first.body.cancellation_date).toBe(first.body.current_period_end);
    const second = await member.visitor.delete('/stripe/subscriptions').expect(200);
    expect(second.body).toMatchObject({ has_been_canceled: true });
    expect((await restart().expect(200)).body).toMatchObject({ has_been_canceled: false, cancellation_date: null });
    await member.visitor.delete('/stripe/subscriptions').expect(200);
    expect((await member.me()).limits.exports).toBe(20);
    await advance(api, { days: 7 });
    expect((await member.me()).limits.exports).toBe(0);
    expect((await member.me()).monetization.is_subscribed).toBe(false);
  });
});

describe('past subscriptions', () => {
  it('are listed completely, newest first, in pages', async () => {
    const member = await Customer.member(api);
    const empty = await member.visitor.get('/stripe/past-subscriptions').expect(200);
    expect(empty.body).toEqual({ subscriptions: [], has_more: false });
    const first = await member.subscribe();
    await member.visitor
      .put('/stripe/subscriptions/upgrade', { new_price_id: price('business_weekly_usd') })
      .expect(200);
    const path = '/stripe/past-subscriptions?limit=1';
    const { body } = await member.visitor.get(path).expect(200);
    expect(body).toMatchObject({ subscriptions: [{ status: 'active', ended_at: null }], has_more: true });
    const newest = body.subscriptions[0].subscription_id;
    const rest = await member.visitor.get(`${path}&starting_after=${newest}`).expect(200);
    expect(rest.body).toMatchObject({
      subscriptions: [{ subscription_id: first, status: 'canceled' }],
      has_more: false,
    });
    const unknown = await member.visitor.get(`${path}&starting_after=sbx_sub_none`);
    expect(resultOf(unknown)).toEqual([404, 'subscriptions.not_found']);
    expect(resultOf(await member.visitor.get('/stripe/past-subscriptions?limit=0'))).toEqual([422, 'request.invalid']);
  });
});
