import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { checkout, refusalMailsTo, resultOf, sweepCheckouts } from '../../test/support/billing/approvals.js';
import { Customer, controlsOf, walletFaultsOf } from '../../test/support/billing/customer.js';
import { retryNow } from '../../test/support/scheduled.js';
import { until } from '../../test/support/until.js';
import { newEmail } from '../../test/support/visitor.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ BLOCKED_COUNTRIES: 'KP' });
});
afterAll(async () => {
  await controlsOf(api).webhooks('sent');
  await api.stop();
});

const approvePlan = (customId: string, plan: string): Promise<string> =>
  api.providers.approveSubscription(`sbx_plan_${plan}`, customId);

const reportApproval = (customer: Customer, subscriptionId: string) =>
  customer.visitor.post('/paypal/subscriptions', { subscription_id: subscriptionId, unlocked_exports: 0 });

async function providerStateOf(id: string) {
  const [row] = await api.sql<{ status: string; kept: number }>(
    `SELECT s.status, coalesce((SELECT sum(amount_cents - refunded_cents) FROM ledger.charges c
       WHERE c.subject_id = s.id AND c.failure_code IS NULL), 0)::int AS kept
     FROM ledger.subscriptions s WHERE s.id = $1`,
    [id],
  );
  return row;
}
const isSubscribed = async (customer: Customer) => (await customer.me()).monetization.is_subscribed;
describe('a subscription approved in the wallet', () => {
  it('is fulfilled without its return', async () => {
    const member = await Customer.member(api);
    await member.buy();
    const customId = await checkout(member, 'personal_weekly_usd', { unlocked_exports: 3 });
    await approvePlan(customId, 'personal_weekly_usd');
    await until(() => isSubscribed(member), 'the adoption');
    expect(await member.credits()).toBe(0);
  });

  it('is fulfilled with its trial', async () => {
    const member = await Customer.member(api);
    await approvePlan(await checkout(member, 'personal_weekly_usd', { trial: true }), 'personal_weekly_usd_ft');
    await until(() => isSubscribed(member), 'the adoption');
    expect((await member.me()).monetization).toMatchObject({
      trial_available: false,
      subscription_includes_trial: true,
    });
  });

  it('is fulfilled when the country of its return is blocked', async () => {
    const member = await Customer.member(api);
    const id = await approvePlan(await checkout(member, 'personal_weekly_usd'), 'personal_weekly_usd');
    const response = await reportApproval(member, id).set('X-Sandbox-Country', 'KP');
    expect(resultOf(response)).toEqual([403, 'billing.country_blocked']);
    await until(() => isSubscribed(member), 'the adoption');
    expect(await providerStateOf(id)).toEqual({ status: 'active', kept: 999 });
  });

  it('is one subscription whether its return comes before, during or after that', async () => {
    const member = await Customer.member(api);
    const id = await approvePlan(await checkout(member, 'personal_weekly_usd'), 'personal_weekly_usd');
    const responses = await Promise.all([
      reportApproval(member, id),
      reportApproval(member, id),
      controlsOf(api).deliverEvents(),
    ]);
    expect([responses[0], responses[1]].map((response) => resultOf(response))).toEqual(
      new Array(2).fill([201, 'active']),
    );
    await until(() => isSubscribed(member), 'the adoption');
    expect(resultOf(await reportApproval(member, id))).toEqual([201, 'active']);
    const rows = await api.sql('SELECT status FROM subscriptions WHERE user_id = $1', [await member.userId()]);
    expect(rows).toEqual([{ status: 'active' }]);
    expect(await providerStateOf(id)).toEqual({ status: 'active', kept: 999 });
  });

  it('is found by the sweep when its event is lost, too', async () => {
    const member = await Customer.member(api);
    const customId = await checkout(member, 'personal_weekly_usd');
    await controlsOf(api).webhooks('withheld');
    await approvePlan(customId, 'personal_weekly_usd');
    await sweepCheckouts(member);
    await until(() => isSubscribed(member), 'the sweep');
    await controlsOf(api).webhooks('sent');
    const settled = async () =>
      (await api.sql('SELECT FROM checkouts WHERE custom_id = $1 AND is_settled', [customId])).length === 1;
    await until(settled, 'the checkout to be settled');
  });

  it('is ended and refunded at once, with a mail, if the rules no longer allow it', async () => {
    const email = newEmail();
    const member = await Customer.member(api, { email });
    const customId = await checkout(member, 'personal_weekly_usd');
    await member.subscribe('business_weekly_usd');
    const id = await approvePlan(customId, 'personal_weekly_usd');
    await until(async () => (await providerStateOf(id))?.kept === 0, 'the refund');
    expect((await providerStateOf(id))?.status).toBe('canceled');
    await until(async () => (await refusalMailsTo(api, email)).length === 1, 'the mail');
    expect((await refusalMailsTo(api, email))[0]?.body).toContain('refunded $9.99');
    expect(resultOf(await reportApproval(member, id))).toEqual([409, 'subscriptions.exists']);
    expect((await member.me()).limits.exports).toBeNull();
  });

  it('is refused when it does not match the checkout', async () => {
    const member = await Customer.member(api);
    const id = await approvePlan(await checkout(member, 'personal_weekly_usd'), 'personal_weekly_usd_ft');
    await until(async () => (await providerStateOf(id))?.status === 'canceled', 'the end');
    expect(await isSubscribed(member)).toBe(false);
    expect((await member.me()).monetization.trial_available).toBe(true);
  });

  it('twice for one checkout is one subscription, and the other is refunded', async () => {
    const member = await Customer.member(api);
    const customId = await checkout(member, 'personal_weekly_usd');
    const ids = [
      await approvePlan(customId, 'personal_weekly_usd'),
      await approvePlan(customId, 'personal_weekly_usd'),
    ];
    const kept = async () =>
      (await Promise.all(ids.map(providerStateOf))).map((row) => row?.kept ?? 0).sort((a, b) => a - b);
    await until(async () => (await kept())[0] === 0, 'the refund');
    expect(await kept()).toEqual([0, 999]);
    expect(await isSubscribed(member)).toBe(true);
  });

  it("is refunded even if the wallet's responses are lost", async () => {
    const member = await Customer.member(api);
    const customId = await checkout(member, 'personal_weekly_usd');
    await member.subscribe('business_weekly_usd');
    await controlsOf(api).deliverEvents();
    await controlsOf(api).webhooks('withheld');
    const id = await approvePlan(customId, 'personal_weekly_usd');
    // The subscription is ended, but the refund's response is lost.
    const { reached, release } = walletFaultsOf(api).holdNextResponse();
    const pendingRequest = reportApproval(member, id);
    await reached;
    walletFaultsOf(api).loseNextResponse();
    release();
    expect((await pendingRequest).status).toBeGreaterThanOrEqual(409);
    await controlsOf(api).webhooks('sent');
    await api.sql(`UPDATE webhook_events SET received_at = now() - interval '10 seconds' WHERE processed_at IS NULL`);
    await retryNow(api);
    await until(async () => (await providerStateOf(id))?.kept === 0, 'the refund');
    expect((await providerStateOf(id))?.status).toBe('canceled');
  });

  it('as an upgrade ends the old plan and refunds the rest', async () => {
    const member = await Customer.member(api);
    const old = await approvePlan(await checkout(member, 'personal_weekly_usd'), 'personal_weekly_usd');
    await until(() => isSubscribed(member), 'the first plan');
    const customId = await checkout(member, 'business_weekly_usd', { upgrade: true });
    const id = await approvePlan(customId, 'business_weekly_usd');
    await until(async () => (await member.me()).limits.exports === null, 'the upgrade');
    await until(async () => (await providerStateOf(old))?.status === 'canceled', 'the end of the old plan');
    await until(async () => Number((await providerStateOf(old))?.kept) < 999, 'the refund');
    expect(await providerStateOf(id)).toEqual({ status: 'active', kept: 1999 });
    const body = { new_subscription_id: id };
    expect(resultOf(await member.visitor.put('/paypal/subscriptions/upgrade', body))).toEqual([200, 'active']);
  });

  it('of an erased account is ended and refunded', async () => {
    const member = await Customer.member(api);
    const customId = await checkout(member, 'personal_weekly_usd');
    await controlsOf(api).webhooks('withheld');
    const id = await approvePlan(customId, 'personal_weekly_usd');
    await member.visitor.delete('/users/@me').expect(204);
    await controlsOf(api).webhooks('sent');
    const past = "now() - interval '10 minutes'";
    const backdate = `UPDATE webhook_events SET received_at = ${past} WHERE subject_id = $1`;
    await until(async () => {
      await api.sql(backdate, [id]);
      await retryNow(api);
      return (await providerStateOf(id))?.kept === 0;
    }, 'the refund');
    expect((await providerStateOf(id))?.status).toBe('canceled');
  });
});
