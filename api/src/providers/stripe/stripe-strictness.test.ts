import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CARD } from '../../../test/support/billing/card-payer.js';
import { newKey, StripeSandbox } from '../../../test/support/billing/stripe-sandbox.js';

let sandbox: StripeSandbox;
let holder: { customerId: string; paymentMethodId: string };
beforeAll(async () => {
  sandbox = await StripeSandbox.start();
  holder = await sandbox.cardHolder(CARD.succeeds);
});
afterAll(() => sandbox.stop());

describe('a request that Stripe would reject', () => {
  it.each([
    ['an unknown parameter', 'amount=499&currency=usd&payment_method_types[0]=card', 'parameter_unknown'],
    ['a missing parameter', 'amount=499', 'parameter_missing'],
    ['an amount that is no integer', 'amount=4.99&currency=usd', 'parameter_invalid_integer'],
    ['an amount below the minimum', 'amount=49&currency=usd', 'parameter_invalid_integer'],
    ['an empty parameter', 'amount=499&currency=usd&description=', 'parameter_invalid_empty'],
    ['a repeated parameter', 'amount=499&amount=500&currency=usd', 'parameter_duplicated'],
    ['a value that failed to serialize', 'amount=undefined&currency=usd', 'parameter_invalid'],
    ['a hash in place of a value', 'amount[value]=499&currency=usd', 'parameter_invalid'],
    ['invalid encoding', 'amount=499&currency=%E0%A4', 'parameter_invalid_encoding'],
    ['a property that cannot be expanded', 'amount=499&currency=usd&expand[0]=charges', 'parameter_invalid_expand'],
  ])('names the parameter: %s', async (_name, form, code) => {
    const { status, body } = await sandbox.stripe('/v1/payment_intents', form);
    expect({ status, code: body.error.code, type: body.error.type }).toEqual({
      status: 400,
      code,
      type: 'invalid_request_error',
    });
  });

  it.each([
    ['an unknown customer', 'customer=sbx_cus_none&items[0][price]=sbx_price_personal_weekly_usd', 'customer'],
    ['a price of a pack', 'items[0][price]=sbx_price_single_export_usd', 'items[0][price]'],
    ['an unknown price', 'items[0][price]=price_none', 'items[0][price]'],
    ['an unknown item parameter', 'items[0][price]=sbx_price_personal_weekly_usd&items[0][plan]=x', 'items[0][plan]'],
  ])('names its place in a hash: %s', async (_name, form, param) => {
    const customer = form.startsWith('customer') ? '' : `customer=${holder.customerId}&`;
    const { body } = await sandbox.stripe('/v1/subscriptions', `${customer}${form}`);
    expect(body.error).toMatchObject({ type: 'invalid_request_error', param });
  });

  it('has no, a wrong or an old credential', async () => {
    const send = (headers: Record<string, string>) => sandbox.stripe('/v1/customers', 'name=A', headers);
    expect((await send({ authorization: '' })).status).toBe(401);
    expect((await send({ authorization: 'Bearer sk_live_1' })).status).toBe(401);
    expect((await send({ 'stripe-version': '2020-08-27' })).body.error.code).toBe('api_version_invalid');
    expect((await send({ 'content-type': 'application/json' })).body.error.code).toBe('content_type');
    expect((await sandbox.stripe('/v1/coupons', 'percent_off=10')).status).toBe(404);
  });
});

describe('a list', () => {
  it('has pages, newest first', async () => {
    const order = { ...holder, reference: newKey() };
    const ids = [];
    for (const price of ['personal_weekly_usd', 'personal_monthly_usd', 'business_weekly_usd']) {
      ids.unshift((await sandbox.subscribe({ ...order, price })).id);
    }
    const url = `/v1/subscriptions?customer=${holder.customerId}&limit=2`;
    const first = (await sandbox.stripe(url)).body;
    expect(first).toMatchObject({ object: 'list', has_more: true, data: [{ id: ids[0] }, { id: ids[1] }] });
    const second = (await sandbox.stripe(`${url}&starting_after=${ids[1]}`)).body;
    expect(second).toMatchObject({ has_more: false, data: [{ id: ids[2] }] });
    expect((await sandbox.stripe(`${url}&starting_after=none`)).body.error.param).toBe('starting_after');
  });

  it('contains expanded objects only on request', async () => {
    const { id } = await sandbox.subscribe();
    const plain = (await sandbox.stripe<Record<string, unknown>>(`/v1/subscriptions/${id}`)).body;
    expect(plain.latest_invoice).toMatch(/^sbx_in_/);
    expect(Object.keys(plain).filter((name) => name.startsWith('_'))).toEqual([]);
    const query = 'expand[0]=latest_invoice.payments&expand[1]=default_payment_method';
    const expanded = (await sandbox.stripe<Record<string, unknown>>(`/v1/subscriptions/${id}?${query}`)).body;
    expect(expanded.latest_invoice).toMatchObject({ object: 'invoice', payments: { data: [{ status: 'paid' }] } });
    expect(expanded.latest_invoice).not.toHaveProperty('confirmation_secret');
    expect(expanded.default_payment_method).toMatchObject({ object: 'payment_method', card: { last4: '4242' } });
  });
});
