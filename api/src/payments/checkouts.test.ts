import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { CARDS, Customer, price } from '../../test/support/billing/customer.js';
import { PictureFactory } from '../../test/support/billing/picture-factory.js';
import { until } from '../../test/support/until.js';
import { newEmail } from '../../test/support/visitor.js';

let api: TestApi;
let factory: PictureFactory;
beforeAll(async () => {
  api = await startApi({ BLOCKED_COUNTRIES: 'KP' });
  factory = await PictureFactory.open(api);
});
afterAll(async () => {
  await factory?.close();
  await api.stop();
});

const ask = (customer: Customer, name: string, rest: object = {}, headers: Record<string, string> = {}) =>
  customer.visitor.post('/checkouts', { price_id: price(name), ...rest }, headers);
const refusalOf = async (pendingRequest: ReturnType<typeof ask>) => {
  const { status, body } = await pendingRequest;
  return [status, body.error_code];
};
const rowsOf = async (customer: Customer) =>
  api.sql('SELECT * FROM checkouts WHERE user_id = $1', [await customer.userId()]);

describe('POST /checkouts', () => {
  it('returns how to pay a pack by card', async () => {
    const member = await Customer.member(api);
    const { body } = await ask(member, 'three_exports_usd', { unlocked_exports: 3 }).expect(201);
    expect(body).toEqual({
      kind: 'elements',
      client_secret: expect.stringMatching(/pi_.+_secret_/),
      publishable_key: expect.stringMatching(/^sbx_pk_/),
    });
    await member.pay(body.client_secret);
    await member.confirm(body.client_secret.split('_secret_')[0]).expect(200);
    expect(await member.credits()).toBe(3);
  });

  it('returns how to pay a subscription by card', async () => {
    const member = await Customer.member(api);
    const { body } = await ask(member, 'personal_weekly_usd', { trial: true }).expect(201);
    expect(body).toMatchObject({ kind: 'elements', client_secret: expect.stringMatching(/seti_.+_secret_/) });
  });

  it('names the plan and an unguessable custom_id for the wallet, and finds the checkout by it', async () => {
    const member = await Customer.member(api);
    const id = await member.userId();
    const { body } = await ask(member, 'personal_weekly_usd', { provider: 'paypal', trial: true }).expect(201);
    expect(body).toEqual({
      kind: 'paypal',
      plan_id: 'sbx_plan_personal_weekly_usd_ft',
      custom_id: expect.stringMatching(new RegExp(`^${id}-[0-9a-f]{32}$`)),
    });
    const [row] = await rowsOf(member);
    expect(row).toMatchObject({ custom_id: body.custom_id, kind: 'subscribe', trial: true, provider: 'paypal' });
    const { body: pack } = await ask(member, 'ten_exports_usd', { provider: 'paypal' }).expect(201);
    expect(pack).toMatchObject({ kind: 'paypal', plan_id: null });
  });

  const RETURN_PATH = '/checkout/return?priceId=x&unlockedExports=1';
  const pageOf = async (buyer: Customer, price: string, how: object = {}): Promise<URL> => {
    const pages = api.providers.pagesUrl;
    const { body } = await ask(buyer, price, { ...how, return_path: RETURN_PATH }).expect(201);
    expect(body).toEqual({ kind: 'redirect', url: expect.stringContaining(pages) });
    return new URL(body.url);
  };
  const submit = async ({ pathname, searchParams }: URL, fields: object): Promise<Record<string, string>> => {
    const form = { ...Object.fromEntries(searchParams), ...fields };
    const { headers } = await api.http.post(pathname).type('form').send(form).expect(303);
    const back = new URL(headers.location ?? '');
    expect(`${back.origin}${back.pathname}`).toBe(`${api.url}/checkout/return`);
    return Object.fromEntries(back.searchParams);
  };
  const PAY = { card_number: CARDS.good, action: 'pay' };

  it("subscribes on the provider's pages", async () => {
    const member = await Customer.member(api);
    const back = await submit(await pageOf(member, 'personal_weekly_usd'), PAY);
    expect(back).toMatchObject({ priceId: 'x', unlockedExports: '1', redirect_status: 'succeeded' });
    const response = await member.requestSubscription('personal_weekly_usd', { method: back.setup_intent ?? '' });
    expect([response.status, response.body.status]).toEqual([201, 'active']);
    const other = await Customer.member(api);
    const approved = await submit(await pageOf(other, 'personal_weekly_usd', { provider: 'paypal' }), {
      action: 'approve',
    });
    const body = { subscription_id: approved.subscription_id, unlocked_exports: 0 };
    await other.visitor.post('/paypal/subscriptions', body).expect(201);
  });

  it("saves no card on another buyer's page", async () => {
    const [member, other] = [await Customer.member(api), await Customer.member(api)];
    const { setup_intent: method = '' } = await submit(await pageOf(member, 'personal_weekly_usd'), PAY);
    const response = await other.requestSubscription('personal_weekly_usd', { method });
    expect([response.status, response.body.error_code]).toEqual([422, 'payments.method_not_usable']);
  });

  it("sells downloads on the provider's page, whether or not the buyer returns", async () => {
    const member = await Customer.member(api);
    const { payment_intent: id } = await submit(await pageOf(member, 'three_exports_usd'), PAY);
    const { body } = await member.visitor.put(`/stripe/payment_intents/${id}`, {}).expect(200);
    expect(body).toEqual({ status: 'succeeded', available_credits: 3 });
    const guest = await Customer.guest(api);
    await guest.visitor.put(`/stripe/payment_intents/${id}`, {}).expect(404);
    await submit(await pageOf(member, 'three_exports_usd'), PAY);
    await until(async () => (await member.credits()) === 6, 'the event to grant the downloads');
  });

  it('closes an earlier page and intent for the same order', async () => {
    const member = await Customer.member(api);
    const first = await pageOf(member, 'three_exports_usd');
    const second = await pageOf(member, 'three_exports_usd');
    await api.http.get(first.pathname + first.search).expect(410);
    const { body } = await ask(member, 'three_exports_usd', { unlocked_exports: 3 }).expect(201);
    await api.http.get(second.pathname + second.search).expect(410);
    const third = await pageOf(member, 'three_exports_usd');
    const [intent] = String(body.client_secret).split('_secret_');
    const confirmation = await api.providers.confirm('payment_intents', intent ?? '', CARDS.good);
    expect(confirmation).toMatchObject({ status: 'failed', error_code: 'intent_canceled' });
    const { payment_intent: id } = await submit(third, PAY);
    await member.visitor.put(`/stripe/payment_intents/${id}`, {}).expect(200);
    expect(await member.credits()).toBe(3);
  });

  it('leads back to no other address', async () => {
    const member = await Customer.member(api);
    for (const path of [
      'https://evil.example/checkout/return',
      '//evil.example',
      '/account',
      '/checkout/return/../..',
      '/checkout/return?priceId=x\r\nset-cookie: a=b',
      '/checkout/return?priceId=x\u2028',
      '/checkout/return@evil.example',
    ]) {
      expect(await refusalOf(ask(member, 'personal_weekly_usd', { return_path: path }))).toEqual([
        422,
        'request.invalid',
      ]);
    }
  });

  it('replays its response under an Idempotency-Key', async () => {
    const member = await Customer.member(api);
    const pendingRequest = () =>
      ask(member, 'personal_weekly_usd', { provider: 'paypal' }, { 'Idempotency-Key': 'one' });
    const [first, second] = [await pendingRequest().expect(201), await pendingRequest().expect(201)];
    expect(second.body).toEqual(first.body);
    expect(await rowsOf(member)).toHaveLength(1);
  });

  it('keeps the checkout of a guest who logs in', async () => {
    const guest = await Customer.guest(api);
    const taskId = await factory.picture(guest);
    const { body } = await ask(guest, 'single_export_usd', { provider: 'paypal', client_task_id: taskId }).expect(201);
    const member = await guest.login(newEmail());
    expect(await rowsOf(member)).toMatchObject([{ custom_id: body.custom_id, task_id: taskId }]);
  });

  it('deletes the checkouts of an erased account', async () => {
    const member = await Customer.member(api);
    const id = await member.userId();
    await ask(member, 'personal_weekly_usd').expect(201);
    const { body } = await member.visitor.get('/users/@me/export').expect(200);
    expect(body.checkouts).toMatchObject([{ provider: 'stripe', kind: 'subscribe', price_id: 'personal_weekly_usd' }]);
    await member.visitor.delete('/users/@me').expect(204);
    expect(await api.sql('SELECT FROM checkouts WHERE user_id = $1', [id])).toEqual([]);
  });
});
