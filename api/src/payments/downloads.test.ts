import { randomUUID } from 'node:crypto';
import { formatPrice } from '@clearframe/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { CARDS, Customer, controlsOf, faultsOf, price } from '../../test/support/billing/customer.js';
import { PictureFactory } from '../../test/support/billing/picture-factory.js';
import { storedMail } from '../../test/support/mail.js';
import { retryNow, runScheduled } from '../../test/support/scheduled.js';
import { until } from '../../test/support/until.js';
import { newEmail } from '../../test/support/visitor.js';
import { waitForStatus } from '../../test/support/workers/results.js';

let api: TestApi;
let factory: PictureFactory;
beforeAll(async () => {
  api = await startApi();
  factory = await PictureFactory.open(api);
});
afterAll(async () => {
  await factory.close();
  await api.stop();
});

const code = ({ body }: { body: { error_code?: string } }) => body.error_code;
const statuses = async (pendingRequest: PromiseLike<{ status: number }>[]): Promise<number[]> =>
  (await Promise.all(pendingRequest)).map(({ status }) => status).sort();
const ledger = async (customer: Customer): Promise<number[]> => {
  const sql = 'SELECT amount FROM credit_entries WHERE user_id = $1 ORDER BY created_at, id';
  return (await api.sql<{ amount: number }>(sql, [await customer.userId()])).map(({ amount }) => amount);
};

describe('a guest', () => {
  it('pays for one picture, which can be downloaded once and is kept (case 1)', async () => {
    const guest = await Customer.guest(api);
    const [taskId, other] = [await factory.picture(guest), await factory.picture(guest)];
    await guest.download(taskId).expect(402);
    await guest.buy('single_export_usd', 1, taskId);
    await guest.download(other).expect(402);
    const { body } = await guest.download(taskId).expect(200);
    expect(body).toMatchObject({ status: 'exported', has_watermark: false });
    expect(Date.parse(body.expires_at) - Date.now()).toBeGreaterThan(29 * 86_400_000);
    expect(await ledger(guest)).toEqual([1, -1]);
    expect(code(await guest.requestIntent('single_export_usd', 1, taskId))).toBe('exports.already_unlocked');
  });

  it('sees a paid picture as preparing until its file is ready, and the file is made without the payer', async () => {
    const guest = await Customer.guest(api);
    const taskId = await factory.picture(guest);
    const state = async () => (await guest.visitor.task(taskId)).export_state;
    expect(await state()).toBe('none');
    await guest.buy('single_export_usd', 1, taskId);
    expect(await state()).toBe('preparing');
    factory.renders.setFailing(true);
    await guest.download(taskId).expect(503);
    expect(await state()).toBe('preparing');
    factory.renders.setFailing(false);
    await api.sql(`UPDATE payments SET settled_at = settled_at - interval '1 minute' WHERE task_id = $1`, [taskId]);
    await retryNow(api);
    await runScheduled(api, 'billing.payments.unexported');
    expect(await guest.visitor.task(taskId)).toMatchObject({ export_state: 'ready', is_exported: true });
    expect(await ledger(guest)).toEqual([1, -1, 1, -1]);
  });

  it('is refunded once, with a mail, when the file of a paid picture cannot be made within a day', async () => {
    const [guest, email] = [await Customer.guest(api), newEmail()];
    const taskId = await factory.picture(guest);
    const order = { price_id: price('single_export_usd'), client_task_id: taskId, unlocked_exports: 1 };
    const { body } = await guest.visitor.post('/checkouts', { ...order, receipt_email: email }).expect(201);
    await guest.pay(body.client_secret);
    const [paymentId = ''] = body.client_secret.split('_secret_');
    await guest.confirm(paymentId).expect(200);
    factory.renders.setFailing(true);
    await guest.download(taskId).expect(503);
    const kept = async () =>
      (
        await api.sql<{ kept: number }>(
          'SELECT amount_cents - refunded_cents AS kept FROM ledger.charges WHERE subject_id = $1',
          [paymentId],
        )
      )[0]?.kept;
    await runScheduled(api, 'billing.payments.undelivered');
    expect(await kept()).toBe(499);
    await api.sql(`UPDATE payments SET settled_at = settled_at - interval '25 hours' WHERE task_id = $1`, [taskId]);
    await Promise.all([1, 2].map(() => runScheduled(api, 'billing.payments.undelivered')));
    factory.renders.setFailing(false);
    expect(await kept()).toBe(0);
    expect(await ledger(guest)).toEqual([1, -1, 1, -1]);
    expect((await guest.visitor.task(taskId)).export_state).toBe('none');
    expect((await storedMail(api, email)).map(({ kind }) => kind).sort()).toEqual(['pictureReceipt', 'undelivered']);
    await guest.download(taskId).expect(402);
  });

  it('can buy nothing else', async () => {
    const guest = await Customer.guest(api);
    const taskId = await factory.picture(guest);
    for (const requested of [
      guest.requestIntent('single_export_usd', 1),
      guest.requestIntent('three_exports_usd', 3, taskId),
      guest.visitor.post('/stripe/intents', {}),
      guest.visitor.post('/stripe/subscriptions', { payment_method_id: 'x', price_id: price('personal_weekly_usd') }),
      guest.visitor.post('/paypal/subscriptions', { subscription_id: 'x' }),
    ]) {
      const response = await requested;
      expect([response.status, code(response)]).toEqual([403, 'billing.login_required']);
    }
  });

  it("cannot pay for another user's picture, or one without a result", async () => {
    const [guest, owner] = [await Customer.guest(api), await Customer.guest(api)];
    const response = await guest.requestIntent('single_export_usd', 1, await factory.picture(owner));
    expect([response.status, code(response)]).toEqual([404, 'tasks.not_found']);
    const { task_id } = await guest.visitor.upload();
    expect(code(await guest.requestIntent('single_export_usd', 1, task_id))).toBe('tasks.wrong_state');
    expect(code(await guest.requestIntent('single_export_usd', 1, randomUUID()))).toBe('tasks.not_found');
  });

  it('can not pay for an untouched picture, which is free', async () => {
    const guest = await Customer.guest(api);
    const taskId = await factory.picture(guest, { isUntouched: true });
    const response = await guest.requestIntent('single_export_usd', 1, taskId);
    expect([response.status, code(response)]).toEqual([409, 'exports.untouched']);
    const order = { price_id: price('single_export_usd'), client_task_id: taskId, unlocked_exports: 1 };
    expect(code(await guest.visitor.post('/checkouts', order))).toBe('exports.untouched');
    await guest.download(taskId).expect(200);
    expect(await ledger(guest)).toEqual([]);
  });

  it('keeps purchase and picture when logging in to a new account (case 2)', async () => {
    const guest = await Customer.guest(api);
    const taskId = await factory.picture(guest);
    await guest.buy('single_export_usd', 1, taskId);
    const member = await guest.login(newEmail());
    expect(await member.credits()).toBe(1);
    await member.download(taskId).expect(200);
    expect(await ledger(member)).toEqual([1, -1]);
  });

  it('adds credits to an account with credits, once (case 3)', async () => {
    const email = newEmail();
    const member = await Customer.member(api, { email });
    await member.buy();
    const guest = await Customer.guest(api);
    const taskId = await factory.picture(guest);
    await guest.buy('single_export_usd', 1, taskId);
    const both = await guest.login(email);
    await Customer.member(api, { email });
    expect(await both.credits()).toBe(4);
    await both.download(await factory.picture(both)).expect(200);
    expect(await both.credits()).toBe(3);
  });

  it('finds the purchase in the account after logging in during the payment', async () => {
    const guest = await Customer.guest(api);
    const taskId = await factory.picture(guest);
    const { client_secret, payment_id } = await guest.intent('single_export_usd', 1, taskId);
    await controlsOf(api).webhooks('withheld');
    await guest.pay(client_secret);
    const member = await guest.login(newEmail());
    await guest.confirm(payment_id).expect(401);
    await member.confirm(payment_id).expect(200, { status: 'succeeded', available_credits: 1 });
    await controlsOf(api).webhooks('sent');
    await member.download(taskId).expect(200);
  });

  it('gets the purchase once when logging in during concurrent confirmations', async () => {
    for (let round = 0; round < 5; round += 1) {
      const guest = await Customer.guest(api);
      const taskId = await factory.picture(guest);
      const { client_secret, payment_id } = await guest.intent('single_export_usd', 1, taskId);
      await guest.pay(client_secret);
      const email = newEmail();
      const [member, ...responses] = await Promise.all([
        guest.login(email),
        guest.confirm(payment_id),
        guest.confirm(payment_id),
        guest.download(taskId),
      ]);
      for (const { status } of responses) expect([200, 401, 402, 404]).toContain(status);
      await member.confirm(payment_id).expect(200);
      await controlsOf(api).deliverEvents();
      await member.download(taskId).expect(200);
      expect(await member.credits()).toBe(0);
      expect(await ledger(member)).toEqual([1, -1]);
    }
  });
});

describe('a credit', () => {
  it('is not spent on an untouched picture, but on a later result of it', async () => {
    const member = await Customer.member(api);
    await member.buy('single_export_usd', 1);
    const taskId = await factory.picture(member, { isUntouched: true });
    await member.download(taskId).expect(200);
    expect(await member.credits()).toBe(1);
    const { bulk_upload_id } = await member.visitor.task(taskId);
    const input_reprocess_list = [{ client_task_id: taskId }];
    await member.visitor.post(`/tasks/bulk-upload/${bulk_upload_id}/reprocess`, { input_reprocess_list }).expect(202);
    await factory.worker.end(taskId, (run) => factory.worker.finish(run));
    const { result } = await waitForStatus(member.visitor, taskId, 'completed');
    expect(result.outputs.map((output: { has_watermark: boolean }) => output.has_watermark)).toEqual([true, false]);
    expect((await member.download(taskId).expect(200)).body.status).toBe('exported');
    expect(await ledger(member)).toEqual([1, -1]);
  });

  it('goes to one of two concurrent downloads (case 7)', async () => {
    const member = await Customer.member(api);
    await member.buy('single_export_usd', 1);
    const [first, second] = [await factory.picture(member), await factory.picture(member)];
    expect(await statuses([member.download(first), member.download(second)])).toEqual([200, 402]);
    expect(await ledger(member)).toEqual([1, -1]);
  });

  it('goes to exactly one of two hundred concurrent downloads', async () => {
    const member = await Customer.member(api);
    await member.buy('single_export_usd', 1);
    const responses = await statuses((await factory.pictures(member, 200)).map((taskId) => member.download(taskId)));
    expect(responses).toEqual([200, ...new Array(199).fill(402)]);
    expect(await member.credits()).toBe(0);
  });

  it('is not spent again for the same picture (case 8)', async () => {
    const member = await Customer.member(api);
    await member.buy();
    const taskId = await factory.picture(member);
    await member.download(taskId).expect(200);
    await member.download(taskId).expect(200);
    await member.visitor
      .put(`/tasks/${taskId}/export`, { output_content_type: 'image/jpeg', jpeg_quality: 100 })
      .expect(200);
    expect(await member.credits()).toBe(2);
  });

  it('is returned when the file cannot be rendered (case 9)', async () => {
    const member = await Customer.member(api);
    await member.buy('single_export_usd', 1);
    const taskId = await factory.picture(member);
    factory.renders.setFailing(true);
    await member.download(taskId).expect(503);
    factory.renders.setFailing(false);
    expect(await member.credits()).toBe(1);
    await member.download(taskId).expect(200);
    expect(await member.credits()).toBe(0);
  });
});

describe('a payment', () => {
  it("in EUR uses the catalogue's integers (case 17)", async () => {
    const member = await Customer.member(api);
    const { body } = await member.visitor.get(`/stripe/prices?price_id=${price('three_exports_eur')}`).expect(200);
    expect(body.prices[0]).toMatchObject({ amount_cents: 999, currency: 'eur', exports: 3, recurring_interval: null });
    expect(formatPrice(body.prices[0].amount_cents, body.prices[0].currency)).toBe('9,99€');
  });

  it('grants nothing when declined, and can be repeated with another card', async () => {
    const member = await Customer.member(api);
    const { client_secret, payment_id } = await member.intent('three_exports_usd', 3);
    expect((await member.pay(client_secret, CARDS.noFunds)).status).toBe('failed');
    const response = await member.confirm(payment_id);
    expect([response.status, code(response)]).toEqual([409, 'payments.not_paid']);
    await member.pay(client_secret);
    await member.confirm(payment_id).expect(200, { status: 'succeeded', available_credits: 3 });
  });

  it('is granted once when event and confirmation are concurrent (case 26)', async () => {
    const member = await Customer.member(api);
    const { client_secret, payment_id } = await member.intent('three_exports_usd', 3);
    await member.pay(client_secret);
    const confirming = Array.from({ length: 10 }, () => member.confirm(payment_id));
    expect(await statuses(confirming)).toEqual(new Array(10).fill(200));
    await controlsOf(api).deliverEvents();
    expect(await ledger(member)).toEqual([3]);
  });

  it('is found by its event when the response was lost', async () => {
    const member = await Customer.member(api);
    await member.intent('three_exports_usd', 3);
    faultsOf(api).loseNextResponse();
    await member.requestIntent('ten_exports_usd', 10).expect(503);
    const { client_secret } = await member.intent('ten_exports_usd', 10);
    await member.pay(client_secret);
    await until(async () => (await member.credits()) === 10, 'the credits');
    expect(
      await api.sql(`SELECT FROM payments WHERE user_id = $1 AND price_id LIKE 'ten%'`, [await member.userId()]),
    ).toHaveLength(1);
  });

  it('is created once for two concurrent requests', async () => {
    const member = await Customer.member(api);
    await member.method();
    const responses = await Promise.all([member.intent('ten_exports_usd', 10), member.intent('ten_exports_usd', 10)]);
    expect(new Set(responses.map(({ payment_id }) => payment_id)).size).toBe(1);
  });

  it.each([
    ['unknown price', { price_id: 'sbx_price_none', unlocked_exports: 1 }, 404, 'prices.not_found'],
    ['unknown currency', { price_id: price('three_exports_gbp'), unlocked_exports: 3 }, 404, 'prices.not_found'],
    ['a plan', { price_id: price('personal_weekly_usd'), unlocked_exports: 20 }, 422, 'prices.not_for_sale'],
    [
      'twenty for the price of one',
      { price_id: price('single_export_usd'), unlocked_exports: 20 },
      422,
      'billing.exports_mismatch',
    ],
    ['no price', {}, 422, 'request.invalid'],
    ['half a download', { price_id: price('single_export_usd'), unlocked_exports: 0.5 }, 422, 'request.invalid'],
  ])('for %s is rejected', async (_what, body, status, errorCode) => {
    const member = await Customer.member(api);
    const response = await member.visitor.post('/stripe/payment_intents', body);
    expect([response.status, code(response)]).toEqual([status, errorCode]);
  });

  it('of another user, or an unknown one, is not found', async () => {
    const [member, other] = [await Customer.member(api), await Customer.member(api)];
    const { payment_id } = await other.intent('three_exports_usd', 3);
    for (const id of [payment_id, 'sbx_pi_none']) {
      const response = await member.confirm(id);
      expect([response.status, code(response)]).toEqual([404, 'payments.not_found']);
    }
  });
});
