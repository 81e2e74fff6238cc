import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { advance, CARDS, Customer, controlsOf, faultsOf, price } from '../../test/support/billing/customer.js';
import { runScheduled } from '../../test/support/scheduled.js';
import { until } from '../../test/support/until.js';

const FIRST_CHARGE = 'billing.subscriptions.first-charge';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

type ApiResult = { status: number; body: { error_code?: string; status?: string } };
const resultOf = ({ status, body }: ApiResult) => [status, body.error_code ?? body.status];

const stateOf = async (member: Customer) => {
  const { monetization, available_credits } = await member.me();
  const { is_subscribed, has_incomplete_subscription } = monetization;
  return {
    isSubscribed: is_subscribed,
    isIncomplete: has_incomplete_subscription,
    credits: available_credits,
    charges: await member.charges(),
  };
};

async function declined(options: Record<string, unknown> = {}): Promise<Customer> {
  const member = await Customer.member(api);
  const response = await member.requestSubscription('personal_weekly_usd', {
    card: CARDS.firstChargeFails,
    ...options,
  });
  expect(resultOf(response)).toEqual([201, 'incomplete']);
  return member;
}

async function pastDue(): Promise<Customer> {
  const member = await Customer.member(api);
  await controlsOf(api).failFutureCharges(await member.subscribe());
  await advance(api, { days: 7 });
  await until(async () => (await member.visitor.get('/stripe/subscriptions')).body.status === 'past_due', 'past due');
  return member;
}

describe('a first charge that was declined', () => {
  it('is paid with another card', async () => {
    const member = await declined();
    expect(resultOf(await member.requestSubscription('personal_weekly_usd'))).toEqual([201, 'active']);
    expect(await stateOf(member)).toEqual({ isSubscribed: true, isIncomplete: false, credits: 0, charges: [999] });
    const rows = await api.sql('SELECT FROM subscriptions WHERE user_id = $1', [await member.userId()]);
    expect(rows).toHaveLength(1);
  });

  it('is paid with a card that its bank authenticates first', async () => {
    const member = await declined();
    const { body } = await member.visitor.post('/stripe/intents', {}).expect(201);
    const id = body.client_secret.split('_secret_')[0];
    const present = () => api.providers.confirm('setup_intents', id, CARDS.redirect);
    expect((await present()).status).toBe('requires_action');
    await api.http
      .post('/api/sandbox/pages/authenticate')
      .type('form')
      .send({ client_secret: body.client_secret, action: 'approve' })
      .expect(200);
    const { payment_method_id: method = '' } = await present();
    const response = await member.requestSubscription('personal_weekly_usd', { method });
    expect(resultOf(response)).toEqual([201, 'active']);
    expect(await member.charges()).toEqual([999]);
  });

  it('is declined again, and still accepts the next card', async () => {
    const member = await declined();
    const again = await member.requestSubscription('personal_weekly_usd', { card: CARDS.firstChargeFails });
    expect(resultOf(again)).toEqual([201, 'incomplete']);
    expect(await stateOf(member)).toEqual({ isSubscribed: false, isIncomplete: true, credits: 0, charges: [] });
    expect(resultOf(await member.requestSubscription('personal_weekly_usd'))).toEqual([201, 'active']);
    expect(await member.charges()).toEqual([999]);
  });

  it('is charged once for five clicks with one card', async () => {
    const member = await declined();
    const method = await member.method();
    const clicks = Array.from({ length: 5 }, () => member.requestSubscription('personal_weekly_usd', { method }));
    expect((await Promise.all(clicks)).map(resultOf)).toEqual(new Array(5).fill([201, 'active']));
    expect(await member.charges()).toEqual([999]);
  });

  it('is charged once for two concurrent cards', async () => {
    const member = await declined();
    const methods = [await member.method(), await member.method(CARDS.sameFingerprint)];
    const tabs = methods.map((method) => member.requestSubscription('personal_weekly_usd', { method }));
    expect((await Promise.all(tabs)).map(resultOf)).toEqual(new Array(2).fill([201, 'active']));
    expect(await member.charges()).toEqual([999]);
  });

  it('is charged once when the response is lost and the request repeated', async () => {
    const member = await declined();
    const method = await member.method();
    await controlsOf(api).webhooks('withheld');
    const { reached, release } = faultsOf(api).holdNextResponse();
    const pendingRequest = member.requestSubscription('personal_weekly_usd', { method });
    await reached;
    faultsOf(api).loseNextResponse();
    release();
    expect(resultOf(await pendingRequest)).toEqual([503, 'service.unavailable']);
    await controlsOf(api).webhooks('sent');
    expect(resultOf(await member.requestSubscription('personal_weekly_usd', { method }))).toEqual([201, 'active']);
    expect(await member.charges()).toEqual([999]);
  });

  it('is not retried by reloading the return page', async () => {
    const member = await Customer.member(api);
    const method = await member.method(CARDS.firstChargeFails);
    for (const _ of [1, 2]) {
      const response = await member.requestSubscription('personal_weekly_usd', { method });
      expect(resultOf(response)).toEqual([201, 'incomplete']);
    }
    const attempts = await api.sql(
      `SELECT FROM ledger.charges c JOIN subscriptions s ON s.provider_id = c.subject_id WHERE s.user_id = $1`,
      [await member.userId()],
    );
    expect(attempts).toHaveLength(1);
  });

  it('forfeits credits once it is paid, at most the current ones', async () => {
    const member = await Customer.member(api);
    await member.buy();
    const options = { card: CARDS.firstChargeFails, unlocked_exports: 3 };
    expect(resultOf(await member.requestSubscription('personal_weekly_usd', options))).toEqual([201, 'incomplete']);
    await member.buy();
    expect((await stateOf(member)).credits).toBe(6);
    const unconfirmed = await member.requestSubscription('personal_weekly_usd', { unlocked_exports: 3 });
    expect(resultOf(unconfirmed)).toEqual([409, 'billing.forfeit_unconfirmed']);
    expect((await stateOf(member)).credits).toBe(6);
    const confirmed = await member.requestSubscription('personal_weekly_usd', { unlocked_exports: 6 });
    expect(resultOf(confirmed)).toEqual([201, 'active']);
    expect(await stateOf(member)).toEqual({ isSubscribed: true, isIncomplete: false, credits: 0, charges: [999] });
  });

  it('is replaced by another plan', async () => {
    const member = await declined();
    expect(resultOf(await member.requestSubscription('business_weekly_usd'))).toEqual([201, 'active']);
    expect(await stateOf(member)).toEqual({ isSubscribed: true, isIncomplete: false, credits: 0, charges: [1999] });
    const rows = await api.sql('SELECT status FROM subscriptions WHERE user_id = $1 ORDER BY created_at', [
      await member.userId(),
    ]);
    expect(rows).toEqual([{ status: 'incomplete_expired' }, { status: 'active' }]);
  });

  it('is replaced by the intro price of the same plan: the charge never exceeds the displayed price', async () => {
    const member = await declined();
    const options = { intro_price_id: price('personal_intro_usd'), version: 'ip' };
    expect(resultOf(await member.requestSubscription('personal_weekly_usd', options))).toEqual([201, 'active']);
    expect(await member.charges()).toEqual([99]);
  });

  it('is not replaced when it has just been paid', async () => {
    const member = await Customer.member(api);
    const { body } = await member.requestSubscription('personal_weekly_usd', { card: CARDS.firstChargeFails });
    await controlsOf(api).deliverEvents();
    await controlsOf(api).webhooks('withheld');
    await controlsOf(api).payOpenInvoice(body.subscription_id, CARDS.good);
    const response = await member.requestSubscription('business_weekly_usd');
    expect(resultOf(response)).toEqual([409, 'subscriptions.exists']);
    await controlsOf(api).webhooks('sent');
    expect(await stateOf(member)).toMatchObject({ isSubscribed: true, charges: [999] });
  });

  it('is replaced by a subscription by wallet', async () => {
    const member = await declined();
    const id = await member.walletSubscription('personal_weekly_usd');
    const response = await member.visitor.post('/paypal/subscriptions', { subscription_id: id, unlocked_exports: 0 });
    expect(resultOf(response)).toEqual([201, 'active']);
    expect(await stateOf(member)).toEqual({ isSubscribed: true, isIncomplete: false, credits: 0, charges: [] });
  });

  it('is voided by cancelling', async () => {
    const member = await declined();
    await member.visitor.delete('/stripe/subscriptions').expect(200);
    expect(await stateOf(member)).toMatchObject({ isSubscribed: false, isIncomplete: false });
    expect(resultOf(await member.requestSubscription('business_weekly_usd'))).toEqual([201, 'active']);
  });

  it('is tried once more with the same card before it expires', async () => {
    const member = await declined();
    const userId = await member.userId();
    await api.sql(
      `UPDATE sandbox.objects SET body = jsonb_set(body, '{_declineCode}', 'null') WHERE type = 'payment_method'
       AND id IN (SELECT payment_method_id FROM subscriptions WHERE user_id = $1)`,
      [userId],
    );
    await advance(api, { hours: 22 });
    await runScheduled(api, FIRST_CHARGE);
    expect(await stateOf(member)).toMatchObject({ isSubscribed: false, isIncomplete: true, charges: [] });
    await advance(api, { hours: 0.8 });
    await runScheduled(api, FIRST_CHARGE);
    expect(await stateOf(member)).toEqual({ isSubscribed: true, isIncomplete: false, credits: 0, charges: [999] });
  });

  it('is tried once only, and expires when it is declined again', async () => {
    const member = await declined();
    const attempts = async () =>
      (
        await api.sql(
          'SELECT FROM ledger.charges c JOIN subscriptions s ON s.provider_id = c.subject_id WHERE s.user_id = $1',
          [await member.userId()],
        )
      ).length;
    await advance(api, { hours: 22.8 });
    await runScheduled(api, FIRST_CHARGE);
    await runScheduled(api, FIRST_CHARGE);
    expect(await attempts()).toBe(2);
    await advance(api, { hours: 0.3 });
    await runScheduled(api, FIRST_CHARGE);
    await until(async () => !(await stateOf(member)).isIncomplete, 'its end');
    expect(await stateOf(member)).toMatchObject({ isSubscribed: false, charges: [] });
    expect(await attempts()).toBe(2);
  });

  it('expires after 23 hours, and a new subscription can start', async () => {
    const member = await declined();
    await advance(api, { hours: 23 });
    expect(resultOf(await member.requestSubscription('personal_weekly_usd'))).toEqual([201, 'active']);
    expect(await member.charges()).toEqual([999]);
  });

  it('expires without an event, and a new subscription can start', async () => {
    const member = await declined();
    await controlsOf(api).deliverEvents();
    await controlsOf(api).webhooks('withheld');
    await advance(api, { hours: 23 });
    const response = await member.requestSubscription('personal_weekly_usd');
    await controlsOf(api).webhooks('sent');
    expect(resultOf(response)).toEqual([201, 'active']);
    expect(await member.charges()).toEqual([999]);
  });
});

describe('a renewal that was declined', () => {
  it('is paid with another card, which also pays the next one', async () => {
    const member = await pastDue();
    expect(resultOf(await member.requestSubscription('personal_weekly_usd'))).toEqual([201, 'active']);
    expect(await member.charges()).toEqual([999, 999]);
    await advance(api, { days: 7 });
    await until(async () => (await member.charges()).length === 3, 'the renewal');
  });

  it('keeps credits bought since', async () => {
    const member = await pastDue();
    await member.buy();
    expect(resultOf(await member.requestSubscription('personal_weekly_usd'))).toEqual([201, 'active']);
    expect(await stateOf(member)).toMatchObject({ isSubscribed: true, credits: 3 });
  });

  it('prevents another plan', async () => {
    const member = await pastDue();
    expect(resultOf(await member.requestSubscription('business_weekly_usd'))).toEqual([409, 'subscriptions.exists']);
    expect(await member.charges()).toEqual([999]);
  });

  it('is paid at a former price, which stays unsold', async () => {
    const member = await pastDue();
    const former = 'personal_weekly_former_usd';
    await member.moveToPrice(former);
    expect(resultOf(await member.requestSubscription(former))).toEqual([201, 'active']);
    const other = await Customer.member(api);
    expect(resultOf(await other.requestSubscription(former))).toEqual([422, 'prices.not_for_sale']);
  });
});
