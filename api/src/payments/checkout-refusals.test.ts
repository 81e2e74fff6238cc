import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { CARDS, Customer, price } from '../../test/support/billing/customer.js';
import { PictureFactory } from '../../test/support/billing/picture-factory.js';

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

describe('POST /checkouts rejects', () => {
  it.each([
    ['an unknown price', 'none', {}, [404, 'prices.not_found']],
    ['a former price', 'personal_weekly_former_usd', {}, [422, 'prices.not_for_sale']],
    ['an intro price', 'personal_intro_usd', {}, [422, 'prices.not_for_sale']],
    ['a pack of another size', 'three_exports_usd', { unlocked_exports: 20 }, [422, 'billing.exports_mismatch']],
    ['an upgrade of nothing', 'business_weekly_usd', { upgrade: true }, [409, 'subscriptions.not_upgradable']],
    [
      'an intro price whose flag is off',
      'personal_weekly_usd',
      { intro_price_id: price('personal_intro_usd') },
      [403, 'billing.not_offered'],
    ],
    [
      'a trial that the page forbids',
      'personal_weekly_usd',
      { trial: true, version: 'ip' },
      [403, 'billing.not_offered'],
    ],
  ])('%s', async (_what, name, rest, expected) => {
    expect(await refusalOf(ask(await Customer.member(api), name, rest))).toEqual(expected);
  });

  it("everything but one task's download for a guest", async () => {
    const guest = await Customer.guest(api);
    expect(await refusalOf(ask(guest, 'personal_weekly_usd'))).toEqual([403, 'billing.login_required']);
    expect(await refusalOf(ask(guest, 'single_export_usd'))).toEqual([403, 'billing.login_required']);
    const task = { client_task_id: await factory.picture(await Customer.guest(api)) };
    for (const provider of ['stripe', 'paypal'])
      expect(await refusalOf(ask(guest, 'single_export_usd', { ...task, provider }))).toEqual([404, 'tasks.not_found']);
  });

  it('a blocked country and a failed captcha', async () => {
    const member = await Customer.member(api);
    const of = (headers: Record<string, string>) => refusalOf(ask(member, 'personal_weekly_usd', {}, headers));
    expect(await of({ 'X-Sandbox-Country': 'KP' })).toEqual([403, 'billing.country_blocked']);
    expect(await of({ 'X-Captcha-Token': 'fail' })).toEqual([403, 'captcha.failed']);
  });

  it('credits that the buyer has not agreed to forfeit', async () => {
    const member = await Customer.member(api);
    await member.buy();
    expect(await refusalOf(ask(member, 'personal_weekly_usd'))).toEqual([409, 'billing.forfeit_unconfirmed']);
    await ask(member, 'personal_weekly_usd', { unlocked_exports: 3 }).expect(201);
  });

  it('a second subscription, and an upgrade by wallet of a subscription by card', async () => {
    const member = await Customer.member(api);
    await member.subscribe('personal_weekly_usd', { trial: true });
    const of = (name: string, rest: object = {}) => refusalOf(ask(member, name, rest));
    expect(await of('personal_weekly_usd')).toEqual([409, 'subscriptions.exists']);
    expect(await of('business_weekly_usd')).toEqual([409, 'subscriptions.exists']);
    const upgrade = { upgrade: true, provider: 'paypal' };
    expect(await of('business_weekly_usd', upgrade)).toEqual([404, 'subscriptions.not_found']);
    const { body } = await ask(member, 'business_weekly_usd', { upgrade: true }).expect(201);
    expect(body).toEqual({ kind: 'redirect', url: expect.stringContaining('/upgrade/confirm?priceId=') });
    expect((await member.me()).monetization).toMatchObject({
      intro_available: false,
      open_subscription: { provider: 'stripe', price_id: price('personal_weekly_usd'), state: 'running' },
    });
  });

  it('another price while a charge by card is past due, but not the same price', async () => {
    const member = await Customer.member(api);
    await member.requestSubscription('personal_weekly_usd', { card: CARDS.firstChargeFails });
    expect((await member.me()).monetization.open_subscription).toMatchObject({ state: 'incomplete' });
    await ask(member, 'personal_weekly_usd').expect(201);
    await ask(member, 'business_weekly_usd').expect(201);
    expect((await rowsOf(member)).map(({ kind }) => kind).sort()).toEqual(['retry', 'subscribe']);
  });
});

describe('flags bind the API', () => {
  it('on every purchase', async () => {
    const off = ['oneTimePayment', 'isFreeTrialEnabled', 'businessPlanEnabled'];
    const other = await startApi();
    for (const name of off) await other.sql(`INSERT INTO flag_overrides VALUES ($1, 'false', now())`, [name]);
    const member = await Customer.member(other);
    const refused = [403, 'billing.not_offered'];
    expect(await refusalOf(ask(member, 'three_exports_usd'))).toEqual(refused);
    expect(await refusalOf(member.requestIntent('three_exports_usd', 3))).toEqual(refused);
    expect(await refusalOf(ask(member, 'personal_weekly_usd', { trial: true }))).toEqual(refused);
    expect(await refusalOf(ask(member, 'business_weekly_usd'))).toEqual(refused);
    const charge = { amount_cents: 999, currency: 'usd', unlocked_exports: 3 };
    const charge_id = await member.walletCharge(999, 'usd');
    expect(await refusalOf(member.visitor.post('/paypal/charges', { ...charge, charge_id }))).toEqual(refused);
    const requested = async (options: object) => {
      const { status, body } = await member.requestSubscription('personal_weekly_usd', { ...options });
      return [status, body.error_code];
    };
    expect(await requested({ trial: true })).toEqual(refused);
    expect(await requested({ trial: true, version: 'ft' })).toEqual([201, undefined]);
    await other.stop();
  });
});
