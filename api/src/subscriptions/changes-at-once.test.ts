import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { advance, Customer, controlsOf, faultsOf, price, resultOf } from '../../test/support/billing/customer.js';
import { until } from '../../test/support/until.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const upgrade = (customer: Customer) =>
  customer.visitor.put('/stripe/subscriptions/upgrade', { new_price_id: price('business_weekly_usd') });
const cancel = (customer: Customer) => customer.visitor.delete('/stripe/subscriptions');
const runningOf = async (customer: Customer): Promise<string[]> => {
  const rows = await api.sql<{ price_id: string }>(
    `SELECT l.price_id FROM ledger.subscriptions l JOIN subscriptions s ON s.provider_id = l.id
     WHERE s.user_id = $1 AND l.ended_at IS NULL`,
    [await customer.userId()],
  );
  return rows.map(({ price_id }) => price_id.replace(/^sbx_(price|plan)_/, ''));
};
/** Neither events nor the sweep tell of changes at the provider. */
async function unwatched(customer: Customer): Promise<void> {
  await controlsOf(api).webhooks('withheld');
  await api.sql(`UPDATE subscriptions SET next_check_at = now() + interval '1 year' WHERE user_id = $1`, [
    await customer.userId(),
  ]);
}

describe('an upgrade', () => {
  it('during which the old plan is cancelled ends with one plan, charged once', async () => {
    const member = await Customer.member(api);
    await member.subscribe();
    const creating = faultsOf(api).holdNextResponse('POST /v1/subscriptions');
    const upgraded = upgrade(member).then(resultOf);
    await creating.reached;
    expect((await cancel(member)).status).toBeLessThan(500);
    creating.release();
    expect(await upgraded).toEqual([200, undefined]);
    await until(async () => (await runningOf(member)).join() === 'business_weekly_usd', 'the end of the old plan');
    expect(await member.charges()).toEqual([0, 1999]);
  });

  it('after a renewal that no event has told of refunds the renewed period', async () => {
    const member = await Customer.member(api);
    await member.subscribe();
    await unwatched(member);
    await advance(api, { days: 7 });
    expect(resultOf(await upgrade(member))).toEqual([200, undefined]);
    expect(await member.charges()).toEqual([999, 0, 1999]);
    expect(await runningOf(member)).toEqual(['business_weekly_usd']);
    await controlsOf(api).webhooks('sent');
    await controlsOf(api).deliverEvents();
    expect(await member.charges()).toEqual([999, 0, 1999]);
  });
});

describe('a subscription that has ended unnoticed', () => {
  it('is started again by subscribing, at the full price', async () => {
    const member = await Customer.member(api);
    const first = await member.subscribe();
    await unwatched(member);
    await cancel(member).expect(200);
    await unwatched(member);
    await advance(api, { days: 8 });
    const intro = { intro_price_id: price('personal_intro_usd'), version: 'ip' };
    expect(resultOf(await member.requestSubscription('personal_weekly_usd', intro))).toEqual([
      409,
      'billing.intro_unavailable',
    ]);
    expect(await member.subscribe()).not.toBe(first);
    expect(await member.charges()).toEqual([999, 999]);
    expect((await member.me()).limits.exports).toBe(20);
  });

  it('grants nothing when its events come a day late', async () => {
    const member = await Customer.member(api);
    await controlsOf(api).webhooks('withheld');
    await member.subscribe();
    await cancel(member).expect(200);
    await advance(api, { days: 8 });
    await controlsOf(api).webhooks('sent');
    await controlsOf(api).deliverEvents();
    expect((await member.me()).limits.exports).toBe(0);
    expect(await member.charges()).toEqual([999]);
  });
});

describe('two subscriptions, by card and by wallet, at once', () => {
  it('leave one that is charged', async () => {
    const member = await Customer.member(api);
    const [method, subscription_id] = [await member.method(), await member.walletSubscription('personal_weekly_usd')];
    const responses = await Promise.all([
      member.requestSubscription('personal_weekly_usd', { method }),
      member.visitor.post('/paypal/subscriptions', { subscription_id }),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
    const kept = async () =>
      (
        await api.sql<{ cents: number }>(
          `SELECT c.amount_cents - c.refunded_cents AS cents FROM ledger.charges c
           WHERE c.subject_id = $1 OR c.subject_id IN (SELECT provider_id FROM subscriptions WHERE user_id = $2)`,
          [subscription_id, await member.userId()],
        )
      ).reduce((sum, { cents }) => sum + cents, 0);
    await until(async () => (await kept()) === 999, 'the refund');
    expect((await member.me()).limits.exports).toBe(20);
  });
});
