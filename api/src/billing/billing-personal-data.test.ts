import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { Customer, controlsOf, faultsOf, walletFaultsOf } from '../../test/support/billing/customer.js';
import { newEmail } from '../../test/support/visitor.js';

let api: TestApi;
beforeAll(async () => {
  // No jobs, whose statements would be counted.
  api = await startApi({ API_ROLE: 'http' });
});
afterAll(() => api.stop());

const TABLES = [
  'payments',
  'subscriptions',
  'credit_entries',
  'export_uses',
  'trial_uses',
  'gift_redemptions',
  'upgrades',
  'video_uses',
  'billing_customers',
];
const rowsOf = async (userId: string): Promise<string[]> => {
  const named: string[] = [];
  for (const table of TABLES) {
    if ((await api.sql(`SELECT FROM ${table} WHERE user_id = $1`, [userId])).length > 0) named.push(table);
  }
  return named;
};

describe('exporting data', () => {
  it('contains purchases and subscriptions', async () => {
    const member = await Customer.member(api);
    const paymentId = await member.buy();
    const subscriptionId = await member.subscribe('personal_weekly_usd', { unlocked_exports: 3 });
    const { body } = await member.visitor.get('/users/@me/export').expect(200);
    expect(body.payments).toMatchObject([
      { payment_id: paymentId, provider: 'stripe', amount_cents: 999, currency: 'usd', status: 'succeeded' },
    ]);
    expect(body.subscriptions).toMatchObject([{ subscription_id: subscriptionId, status: 'active' }]);
  });
});

async function payFor(member: Customer, provider: 'stripe' | 'paypal') {
  if (provider === 'paypal') {
    const charge = { charge_id: await member.walletCharge(999, 'usd'), amount_cents: 999, currency: 'usd' };
    return async () => member.visitor.post('/paypal/charges', { ...charge, unlocked_exports: 3 });
  }
  const { client_secret: secret, payment_id: id } = await member.intent('three_exports_usd', 3);
  await member.pay(secret);
  return async () => member.confirm(id);
}

describe('erasing an account', () => {
  it('ends subscriptions, and keeps of payments what tax law requires, without the person', async () => {
    const member = await Customer.member(api);
    const paymentId = await member.buy();
    const subscriptionId = await member.subscribe('personal_weekly_usd', { trial: true, unlocked_exports: 3 });
    const userId = await member.userId();
    await member.visitor.delete('/users/@me').expect(204);
    expect(await rowsOf(userId)).toEqual([]);
    const [kept] = await api.sql('SELECT * FROM payments WHERE provider_id = $1', [paymentId]);
    expect(kept).toMatchObject({ user_id: null, customer_id: null, payer_email: null, amount_cents: 999 });
    const [ended] = await api.sql('SELECT status FROM ledger.subscriptions WHERE id = $1', [subscriptionId]);
    expect(ended?.status).toBe('canceled');
  });

  it('refunds and ends a subscription that the provider was still creating', async () => {
    const member = await Customer.member(api);
    const method = await member.method();
    await controlsOf(api).webhooks('withheld');
    const { reached, release } = faultsOf(api).holdNextResponse();
    const pendingRequest = member.requestSubscription('personal_weekly_usd', { method });
    await reached;
    const making = faultsOf(api).holdNextResponse();
    release();
    await making.reached;
    const customerId = (
      await api.sql('SELECT customer_id FROM billing_customers WHERE user_id = $1', [await member.userId()])
    )[0]?.customer_id;
    await member.visitor.delete('/users/@me').expect(204);
    making.release();
    expect((await pendingRequest).status).toBe(404);
    const sql = 'SELECT status FROM ledger.subscriptions WHERE customer_id = $1';
    expect(await api.sql(sql, [customerId])).toEqual([{ status: 'canceled' }]);
    const kept = await api.sql(
      `SELECT c.amount_cents, c.refunded_cents FROM ledger.charges c JOIN ledger.subscriptions s ON s.id = c.subject_id
       WHERE s.customer_id = $1`,
      [customerId],
    );
    expect(kept).toEqual([{ amount_cents: 999, refunded_cents: 999 }]);
  });

  it.each(['stripe', 'paypal'] as const)('refunds what was paid by %s while it was erased', async (provider) => {
    const member = await Customer.member(api);
    await controlsOf(api).webhooks('withheld');
    const [faults, read] =
      provider === 'stripe'
        ? [faultsOf(api), 'GET /v1/payment_intents/{id}']
        : [walletFaultsOf(api), 'POST /v2/checkout/orders/{id}/capture'];
    const reportSubscription = await payFor(member, provider);
    const { reached, release } = faults.holdNextResponse(read);
    const returned = reportSubscription().then(({ status }) => status);
    await reached;
    await member.visitor.delete('/users/@me').expect(204);
    release();
    expect(await returned).toBe(404);
    const [payment] = await api.sql(
      `SELECT p.status, p.refunded_cents, c.refunded_cents AS at_provider FROM payments p
       JOIN ledger.charges c ON c.subject_id = p.provider_id WHERE p.provider = $1 AND p.is_duplicate`,
      [provider],
    );
    expect(payment).toEqual({ status: 'succeeded', refunded_cents: 999, at_provider: 999 });
  });

  it('waits until the payment provider is reachable', async () => {
    const member = await Customer.member(api);
    await member.subscribe();
    faultsOf(api).disconnect();
    await member.visitor.delete('/users/@me').expect(503);
    faultsOf(api).reconnect();
  });
});

describe('logging in', () => {
  it('moves all billing data and leaves none with the guest', async () => {
    const guest = await Customer.guest(api);
    const guestId = await guest.userId();
    const gift = [randomUUID(), guestId, randomUUID(), randomUUID()];
    await api.sql(
      `INSERT INTO gift_redemptions (id, user_id, code_id, starts_at, expires_at, created_at)
       VALUES ($1, $2, $3, now(), now() + interval '1 day', now())`,
      gift.slice(0, 3),
    );
    await api.sql(
      `INSERT INTO credit_entries (id, user_id, amount, reason, task_id, created_at) VALUES ($1, $2, 1, 'purchase', $3, now())`,
      [`purchase:${gift[3]}`, guestId, randomUUID()],
    );
    expect((await guest.me()).available_credits).toBe(1);
    const member = await guest.login(newEmail());
    expect(await rowsOf(guestId)).toEqual([]);
    expect(await member.me()).toMatchObject({ available_credits: 1, gift_code: { is_active: true } });
  });
});

describe('GET /users/@me', () => {
  it('takes at most three statements', async () => {
    await controlsOf(api).webhooks('withheld');
    const member = await Customer.member(api);
    await member.buy();
    await member.subscribe('personal_weekly_usd', { unlocked_exports: 3 });
    const counted: string[] = [];
    const driver = api.app.get(DataSource, { strict: false }).driver as unknown as {
      master: { on(event: 'acquire', listener: () => void): void; removeAllListeners(event: 'acquire'): void };
    };
    driver.master.on('acquire', () => counted.push('connection'));
    await member.me();
    driver.master.removeAllListeners('acquire');
    expect(counted.length).toBeLessThanOrEqual(3);
  });
});

describe('stored data about a payment', () => {
  it('contains no card number', async () => {
    const member = await Customer.member(api);
    await member.buy();
    await member.subscribe('personal_weekly_usd', { unlocked_exports: 3 });
    for (const table of [...TABLES, 'webhook_events', 'mail_messages', 'idempotency_keys']) {
      const text = JSON.stringify(await api.sql(`SELECT * FROM ${table}`));
      expect(text).not.toMatch(/4242[ -]?4242/);
    }
  });
});
