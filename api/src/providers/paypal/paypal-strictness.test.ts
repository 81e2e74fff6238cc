import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PayPalSandbox } from '../../../test/support/billing/paypal-sandbox.js';

let sandbox: PayPalSandbox;
beforeAll(async () => {
  sandbox = await PayPalSandbox.start();
});
afterAll(() => sandbox.stop());

const ORDER = { amountCents: 999, currency: 'usd', customId: 'buyer-1' };
const CAPTURE = /^sbx_txn_/;

async function capturedOrder(): Promise<string> {
  const id = await sandbox.server.wallet.pay(ORDER);
  const { body } = await sandbox.request<{ purchase_units: { payments: { captures: { id: string }[] } }[] }>(
    `/v2/checkout/orders/${id}/capture`,
    {},
  );
  const capture = body.purchase_units[0]?.payments.captures[0]?.id ?? '';
  expect(capture).toMatch(CAPTURE);
  return capture;
}

describe('a request', () => {
  it('needs a token of the client', async () => {
    const path = '/v1/billing/plans/sbx_plan_personal_weekly_usd';
    expect((await sandbox.request(path)).status).toBe(200);
    for (const authorization of ['', 'Bearer none', `Bearer A21AA9999999999.${'0'.repeat(64)}`]) {
      const { status, body } = await sandbox.request(path, undefined, { authorization });
      expect([status, body.name]).toEqual([401, 'AUTHENTICATION_FAILURE']);
    }
  });

  it.each([
    ['an unknown property', { amount: { currency_code: 'USD', value: '1.00' }, reason: 'x' }, '/reason'],
    ['a number as amount', { amount: { currency_code: 'USD', value: 1 } }, '/amount/value'],
    ['an amount with one decimal', { amount: { currency_code: 'USD', value: '1.0' } }, '/amount/value'],
    ['a lower-case currency', { amount: { currency_code: 'usd', value: '1.00' } }, '/amount/currency_code'],
  ])('with %s is rejected', async (_name, refund, field) => {
    const { status, body } = await sandbox.request(`/v2/payments/captures/${await capturedOrder()}/refund`, refund);
    expect([status, body.name, body.details[0]?.field]).toEqual([400, 'INVALID_REQUEST', field]);
  });

  it.each([
    ['more than is left', { amount: { currency_code: 'USD', value: '10.00' } }, 'REFUND_AMOUNT_EXCEEDED'],
    ['another currency', { amount: { currency_code: 'EUR', value: '1.00' } }, 'CURRENCY_MISMATCH'],
  ])('that refunds %s is rejected', async (_name, refund, issue) => {
    const { status, body } = await sandbox.request(`/v2/payments/captures/${await capturedOrder()}/refund`, refund);
    expect([status, body.details[0]?.issue]).toEqual([422, issue]);
  });

  it('with unknown query parameters, without required ones, or of unknown paths is rejected', async () => {
    const id = await sandbox.subscribe();
    for (const path of [
      `/v1/billing/subscriptions/${id}/transactions`,
      `/v1/billing/subscriptions/${id}?fields=all`,
      '/v1/billing/plans?page_size=21',
      '/v1/notifications/webhooks-events?page_size=0',
    ]) {
      expect((await sandbox.request(path)).status).toBe(400);
    }
    expect((await sandbox.request('/v2/invoicing/invoices')).status).toBe(404);
    expect((await sandbox.request('/v1/billing/subscriptions/sbx_sub_none')).body.name).toBe('RESOURCE_NOT_FOUND');
  });

  it('needs JSON', async () => {
    const path = `/v1/billing/subscriptions/${await sandbox.subscribe()}/cancel`;
    expect((await sandbox.request(path, 'reason=x', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await sandbox.request(path, '{"reason":')).status).toBe(400);
    expect((await sandbox.request(path, {})).status).toBe(400);
    expect((await sandbox.request(path, { reason: 'x' })).status).toBe(204);
    const again = await sandbox.request(path, { reason: 'x' });
    expect(again.body.details[0]?.issue).toBe('SUBSCRIPTION_STATUS_INVALID');
  });

  it('with a used id returns the first response, and is rejected with another body', async () => {
    const path = `/v2/payments/captures/${await capturedOrder()}/refund`;
    const refund = (value: string, key: string) =>
      sandbox.request<{ id: string; details?: { issue: string }[] }>(
        path,
        { amount: { currency_code: 'USD', value } },
        { 'paypal-request-id': key },
      );
    const first = await refund('4.00', 'one');
    expect(await refund('4.00', 'one')).toEqual(first);
    expect((await refund('5.00', 'one')).body.details?.[0]?.issue).toBe('DUPLICATE_REQUEST_ID');
    expect((await refund('4.00', 'two')).body.id).not.toBe(first.body.id);
  });

  it('never presents internal properties', async () => {
    const { body } = await sandbox.request<object>(`/v1/billing/subscriptions/${await sandbox.subscribe()}`);
    expect(JSON.stringify(body)).not.toContain('"_');
  });
});
