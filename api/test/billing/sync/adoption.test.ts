import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/application.js';
import { retryNow } from '../../support/scheduled.js';
import { until } from '../../support/until.js';
import { newEmail } from '../../support/visitor.js';
import { Customer, controlsOf, faultsOf, price } from '../customer.js';
import { PictureFactory } from '../picture-factory.js';

let api: TestApi;
let factory: PictureFactory;
beforeAll(async () => {
  api = await startApi();
  factory = await PictureFactory.open(api);
});
afterAll(async () => {
  controlsOf(api).webhooks('sent');
  await factory?.close();
  await api.stop();
});

type ApiResult = { status: number; body: { error_code?: string; status?: string } };
const resultOf = ({ status, body }: ApiResult) => [status, body.error_code ?? body.status];

/** @returns what the approval must carry */
async function checkout(customer: Customer, name: string, rest: object = {}): Promise<string> {
  const body = { price_id: price(name), provider: 'paypal', ...rest };
  return (await customer.visitor.post('/checkouts', body).expect(201)).body.custom_id;
}

/** Approves a plan in the wallet. */
async function approvePlan(customId: string, plan: string): Promise<string> {
  const body = { plan_id: `sbx_plan_${plan}`, custom_id: customId };
  const response = await api.http.post('/api/sandbox/payments/wallet/subscriptions').send(body).expect(201);
  return response.body.subscription_id;
}

/** Approves a payment in the wallet. */
async function approveCharge(customId: string, amountCents: number): Promise<string> {
  const body = { amount_cents: amountCents, currency: 'usd', custom_id: customId };
  return (await api.http.post('/api/sandbox/payments/wallet/charges').send(body).expect(201)).body.charge_id;
}

/** The browser returns with a subscription. */
const reportApproval = (customer: Customer, subscriptionId: string) =>
  customer.visitor.post('/paypal/subscriptions', { subscription_id: subscriptionId, unlocked_exports: 0 });

/** State at the provider, and cents not refunded. */
async function providerStateOf(id: string) {
  const [row] = await api.sql<{ status: string; kept: number }>(
    `SELECT s.status, coalesce((SELECT sum(amount_cents - refunded_cents) FROM sandbox_charges c
       WHERE c.subject_id = s.id AND c.failure_code IS NULL), 0)::int AS kept
     FROM sandbox_subscriptions s WHERE s.id = $1`,
    [id],
  );
  return row;
}
const orderState = async (id: string) =>
  (await api.sql<{ status: string }>('SELECT status FROM sandbox_orders WHERE id = $1', [id]))[0]?.status;
const isSubscribed = async (customer: Customer) => (await customer.me()).monetization.is_subscribed;
const mailsTo = (email: string) =>
  api.sql<{ body: string }>(`SELECT body FROM mail_messages WHERE recipient = $1 AND kind = 'approvalRefused'`, [
    email,
  ]);

/** @returns what a wallet must carry to pay for the guest's picture */
async function guestAtTheWallet() {
  const guest = await Customer.guest(api);
  const taskId = await factory.picture(guest);
  const customId = await checkout(guest, 'single_export_usd', { client_task_id: taskId, unlocked_exports: 1 });
  return { guest, taskId, customId };
}
const bringCharge = (customer: Customer, chargeId: string, taskId: string) =>
  customer.visitor.post('/paypal/charges', {
    charge_id: chargeId,
    amount_cents: 499,
    currency: 'usd',
    unlocked_exports: 1,
    client_task_id: taskId,
  });

/** An hour without events, then the sweep. */
async function sweep(customer: Customer): Promise<void> {
  await api.sql(`UPDATE checkouts SET next_check_at = now() WHERE user_id = $1`, [await customer.userId()]);
}

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
    controlsOf(api).webhooks('withheld');
    await approvePlan(customId, 'personal_weekly_usd');
    await sweep(member);
    await until(() => isSubscribed(member), 'the sweep');
    controlsOf(api).webhooks('sent');
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
    await until(async () => (await mailsTo(email)).length === 1, 'the mail');
    expect((await mailsTo(email))[0]?.body).toContain('refunded $9.99');
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
    controlsOf(api).webhooks('withheld');
    const id = await approvePlan(customId, 'personal_weekly_usd');
    // The subscription is ended, but the refund's response is lost.
    const { reached, release } = faultsOf(api).holdNextResponse();
    const pendingRequest = reportApproval(member, id);
    await reached;
    faultsOf(api).loseNextResponse();
    release();
    expect((await pendingRequest).status).toBeGreaterThanOrEqual(409);
    controlsOf(api).webhooks('sent');
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
    controlsOf(api).webhooks('withheld');
    const id = await approvePlan(customId, 'personal_weekly_usd');
    await member.visitor.delete('/users/@me').expect(204);
    controlsOf(api).webhooks('sent');
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

describe('a payment approved in the wallet', () => {
  it('for a pack is captured once, without its return', async () => {
    const member = await Customer.member(api);
    const customId = await checkout(member, 'three_exports_usd', { unlocked_exports: 3 });
    const id = await approveCharge(customId, 999);
    await until(async () => (await member.credits()) === 3, 'the adoption');
    const body = { charge_id: id, amount_cents: 999, currency: 'usd', unlocked_exports: 3 };
    expect(resultOf(await member.visitor.post('/paypal/charges', body))).toEqual([201, 'succeeded']);
    expect(await member.credits()).toBe(3);
  });

  it('is found by the sweep when its event is lost, too', async () => {
    const member = await Customer.member(api);
    const customId = await checkout(member, 'three_exports_usd', { unlocked_exports: 3 });
    controlsOf(api).webhooks('withheld');
    await approveCharge(customId, 999);
    await sweep(member);
    await until(async () => (await member.credits()) === 3, 'the sweep');
    controlsOf(api).webhooks('sent');
  });

  it('by a guest unlocks the picture without its return', async () => {
    const { guest, taskId, customId } = await guestAtTheWallet();
    await approveCharge(customId, 499);
    await until(async () => (await guest.credits()) === 1, 'the adoption');
    const [row] = await api.sql<{ task_id: string }>('SELECT task_id FROM payments WHERE user_id = $1', [
      await guest.userId(),
    ]);
    expect(row?.task_id).toBe(taskId);
  });

  it('by a guest who logs in before the return unlocks the picture', async () => {
    const { guest, taskId, customId } = await guestAtTheWallet();
    controlsOf(api).webhooks('withheld');
    const id = await approveCharge(customId, 499);
    const member = await guest.login(newEmail());
    const responses = await Promise.all([bringCharge(member, id, taskId), bringCharge(member, id, taskId)]);
    controlsOf(api).webhooks('sent');
    expect(responses.map(resultOf)).toEqual(new Array(2).fill([201, 'succeeded']));
    expect(await member.credits()).toBe(1);
  });

  it('by a guest who logs in and never returns belongs to the account', async () => {
    const { guest, customId } = await guestAtTheWallet();
    controlsOf(api).webhooks('withheld');
    const id = await approveCharge(customId, 499);
    const member = await guest.login(newEmail());
    controlsOf(api).webhooks('sent');
    await until(async () => (await member.credits()) === 1, 'the adoption');
    expect(await orderState(id)).toBe('captured');
  });

  it('of another amount is not captured', async () => {
    const email = newEmail();
    const member = await Customer.member(api, { email });
    const customId = await checkout(member, 'three_exports_usd', { unlocked_exports: 3 });
    const id = await approveCharge(customId, 1);
    await until(async () => (await mailsTo(email)).length === 1, 'the mail');
    expect((await mailsTo(email))[0]?.body).toContain('Nothing was charged');
    expect([await orderState(id), await member.credits()]).toEqual(['approved', 0]);
  });
});
