import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { advance, CARDS, Customer, controlsOf, price, resultOf } from '../../test/support/billing/customer.js';
import { retryNow } from '../../test/support/scheduled.js';
import { until } from '../../test/support/until.js';
import { newEmail } from '../../test/support/visitor.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const reportSubscription = (customer: Customer, subscriptionId: string, unlockedExports = 0) =>
  customer.visitor.post('/paypal/subscriptions', {
    subscription_id: subscriptionId,
    unlocked_exports: unlockedExports,
  });
const stateOf = async (id: string) => {
  const [row] = await api.sql<{ status: string; kept: number }>(
    `SELECT s.status, coalesce((SELECT sum(amount_cents - refunded_cents) FROM ledger.charges c
       WHERE c.subject_id = s.id AND c.failure_code IS NULL), 0)::int AS kept
     FROM ledger.subscriptions s WHERE s.id = $1`,
    [id],
  );
  return row;
};

describe('a subscription by wallet', () => {
  it('is recorded once, and ends at once but lasts as long as it is paid for', async () => {
    const member = await Customer.member(api);
    const id = await member.walletSubscription('personal_monthly_usd');
    const responses = await Promise.all([
      reportSubscription(member, id),
      reportSubscription(member, id),
      reportSubscription(member, id),
    ]);
    for (const { body } of responses) expect(body).toEqual({ status: 'active', subscription_id: id });
    expect((await member.me()).limits.exports).toBe(80);
    const { body } = await member.visitor.delete('/paypal/subscriptions').expect(200);
    expect(body).toMatchObject({ status: 'canceled', has_been_canceled: true, portal_session_url: null });
    expect(body.cancellation_date).toBe(body.current_period_end);
    await member.visitor.delete('/paypal/subscriptions').expect(200);
    expect((await member.me()).limits.exports).toBe(80);
    expect(resultOf(await member.visitor.post('/paypal/subscriptions/restart'))).toEqual([
      409,
      'subscriptions.not_restartable',
    ]);
    await advance(api, { days: 28 });
    expect((await member.me()).limits.exports).toBe(0);
    expect(resultOf(await member.visitor.get('/paypal/subscriptions'))).toEqual([404, 'subscriptions.not_found']);
  });

  it('of another user, a former plan or an unknown one is rejected', async () => {
    const [member, other] = [await Customer.member(api), await Customer.member(api)];
    const foreign = await other.walletSubscription('personal_weekly_usd');
    for (const id of [foreign, 'sbx_sub_none', await member.subscribe()]) {
      expect(resultOf(await reportSubscription(member, id))).toEqual([404, 'subscriptions.not_found']);
    }
    expect((await stateOf(foreign))?.status).toBe('active');
    expect(
      resultOf(await reportSubscription(other, await other.walletSubscription('personal_weekly_former_usd'))),
    ).toEqual([422, 'prices.not_for_sale']);
  });

  it('requires consent to forfeit credits', async () => {
    const member = await Customer.member(api);
    await member.buy();
    const id = await member.walletSubscription('personal_weekly_usd');
    expect(resultOf(await reportSubscription(member, id))).toEqual([409, 'billing.forfeit_unconfirmed']);
    expect([await member.credits(), (await stateOf(id))?.status]).toEqual([3, 'active']);
    await reportSubscription(member, id, 3).expect(201);
    expect(await member.credits()).toBe(0);
  });

  it('beside a running one is ended and refunded', async () => {
    const member = await Customer.member(api);
    await member.subscribe();
    const id = await member.walletSubscription('personal_weekly_usd');
    expect(resultOf(await reportSubscription(member, id))).toEqual([409, 'subscriptions.exists']);
    expect(await stateOf(id)).toEqual({ status: 'canceled', kept: 0 });
  });

  it('without a checkout is ended and refunded after a minute, unless reported', async () => {
    const member = await Customer.member(api);
    const id = await member.walletSubscription('personal_weekly_usd');
    const event = 'FROM webhook_events WHERE subject_id = $1 AND processed_at IS NULL';
    await until(async () => (await api.sql(`SELECT 1 ${event}`, [id])).length > 0, 'the event');
    expect((await stateOf(id))?.status).toBe('active');
    const past = "now() - interval '61 seconds'";
    await api.sql(`UPDATE webhook_events SET received_at = ${past} WHERE subject_id = $1`, [id]);
    await retryNow(api);
    await until(async () => (await stateOf(id))?.kept === 0, 'the money to be given back');
    expect((await stateOf(id))?.status).toBe('canceled');
  });
});

describe('a trial', () => {
  const trial = { trial: true };

  it('is granted once: by card, then not by wallet (case 12), and not by card again', async () => {
    const member = await Customer.member(api);
    await member.subscribe('personal_weekly_usd', trial);
    expect((await member.me()).monetization).toMatchObject({
      trial_available: false,
      subscription_includes_trial: true,
      is_subscribed: true,
    });
    await member.visitor.delete('/stripe/subscriptions').expect(200);
    await advance(api, { days: 7 });
    await until(async () => !(await member.me()).monetization.is_subscribed, 'the end');
    const id = await member.walletSubscription('personal_weekly_usd', { trial: true });
    expect(resultOf(await reportSubscription(member, id))).toEqual([409, 'billing.trial_unavailable']);
    expect((await stateOf(id))?.status).toBe('canceled');
    expect(resultOf(await member.requestSubscription('personal_weekly_usd', trial))).toEqual([
      409,
      'billing.trial_unavailable',
    ]);
    await member.subscribe('personal_weekly_usd');
  });

  it('by wallet is not granted again by card', async () => {
    const member = await Customer.member(api);
    await reportSubscription(member, await member.walletSubscription('personal_weekly_usd', { trial: true })).expect(
      201,
    );
    await member.visitor.delete('/paypal/subscriptions').expect(200);
    expect((await member.me()).monetization).toMatchObject({ is_subscribed: true, trial_available: false });
    expect(resultOf(await member.requestSubscription('personal_weekly_usd', trial))).toEqual([
      409,
      'billing.trial_unavailable',
    ]);
  });

  it('is granted once for a card, in any account, also concurrently', async () => {
    const members = await Promise.all(Array.from({ length: 4 }, () => Customer.member(api)));
    const options = { ...trial, card: CARDS.sameFingerprint };
    const responses = await Promise.all(
      members.map((member) => member.requestSubscription('personal_weekly_usd', options)),
    );
    expect(responses.map(resultOf).sort()).toEqual([
      [201, undefined],
      ...new Array(3).fill([409, 'billing.trial_unavailable']),
    ]);
  });

  it('grants nothing more when it ends unpaid (case 11)', async () => {
    const member = await Customer.member(api);
    await controlsOf(api).failFutureCharges(await member.subscribe('personal_weekly_usd', trial));
    await advance(api, { days: 7 });
    await until(async () => (await member.visitor.get('/stripe/subscriptions')).body.status === 'past_due', 'past due');
    expect((await member.me()).limits.exports).toBe(0);
    await advance(api, { days: 6 });
    await until(async () => (await member.me()).monetization.subscription_id === null, 'the end');
  });

  it('sends a reminder on day 4, once, if wanted (case 10)', async () => {
    const [email, silent] = [newEmail(), newEmail()];
    const member = await Customer.member(api, { email });
    const other = await Customer.member(api, { email: silent });
    await other.visitor.put('/users/@me/preferences/override', { preferences: { wants_email_reminder: false } });
    await Promise.all([member.subscribe('personal_weekly_usd', trial), other.subscribe('personal_weekly_usd', trial)]);
    const mails = (to: string) =>
      api.sql(`SELECT FROM mail_messages WHERE recipient = $1 AND subject LIKE '%trial ends%'`, [to]);
    await advance(api, { days: 3, hours: 23 });
    expect(await mails(email)).toHaveLength(0);
    await advance(api, { hours: 2 });
    await until(async () => (await mails(email)).length > 0, 'the reminder');
    await advance(api, { days: 1 });
    expect([(await mails(email)).length, (await mails(silent)).length]).toEqual([1, 0]);
  });
});

describe('the intro offer', () => {
  const intro = { intro_price_id: price('personal_intro_usd'), version: 'ip' };

  it('is for new subscribers: 0.99 for the first week, then the price', async () => {
    const member = await Customer.member(api);
    await member.subscribe('personal_weekly_usd', intro);
    expect((await member.me()).monetization.subscription_with_intro_price).toBe(true);
    await advance(api, { days: 7 });
    await until(async () => (await member.charges()).length === 2, 'the renewal');
    expect(await member.charges()).toEqual([99, 999]);
  });

  it('is not for former subscribers', async () => {
    const member = await Customer.member(api);
    await member.subscribe();
    await member.visitor.delete('/stripe/subscriptions').expect(200);
    await advance(api, { days: 7 });
    await until(async () => !(await member.me()).monetization.is_subscribed, 'the end');
    const response = await member.requestSubscription('personal_weekly_usd', intro);
    expect(resultOf(response)).toEqual([409, 'billing.intro_unavailable']);
  });
});

describe('a subscription of the mobile app (case 24)', () => {
  it('is managed there, and has the limits of business', async () => {
    const email = newEmail();
    const member = await Customer.member(api, { email });
    await api.sql(
      `INSERT INTO subscriptions (id, user_id, provider, provider_id, price_id, asks_trial, status, currency, created_at)
       VALUES ($1, $2, 'mobile', $3, 'mobile', false, 'active', 'usd', now())`,
      [randomUUID(), await member.userId(), randomUUID()],
    );
    expect(await member.me()).toMatchObject({
      limits: { exports: null },
      monetization: { is_subscribed: true, subscription_provider: 'mobile', price_id: null },
    });
    for (const requested of [
      member.visitor.delete('/mobile/subscriptions'),
      member.visitor.delete('/stripe/subscriptions'),
      member.visitor.get('/mobile/subscriptions'),
      member.visitor.get('/mobile/subscriptions/upgrade/preview'),
      member.visitor.post('/mobile/subscriptions/restart'),
      member.requestSubscription('business_weekly_usd'),
    ]) {
      expect(resultOf(await requested)).toEqual([409, 'subscriptions.managed_elsewhere']);
    }
    const { body } = await member.visitor.get('/users/@me/video-limits').expect(200);
    expect(body).toMatchObject({ max_size_mb: 120, max_length: 120, max_period_size_mb: 480, max_period_length: 480 });
  });
});
