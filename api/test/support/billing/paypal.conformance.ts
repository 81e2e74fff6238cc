import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { PRICES, WEEKS_PER_PERIOD } from '@clearframe/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../../runtime/test/ports.js';
import { PayPalPlans } from '../../../src/providers/paypal/paypal-plans.js';
import { PayPalWallet } from '../../../src/providers/paypal/paypal-wallet.js';
import { SystemClock } from '../../../src/providers/unconfigured-providers.js';
import { ServerProcess } from '../providers/conformance/server-process.js';
import { CONFORMANCE_SCRIPTS } from '../providers/needs-sandbox.js';
import { paypalConfig } from './paypal-sandbox.js';

/**
 * Every call of the adapter against a server that validates requests by PayPal's published API descriptions. See
 * `docs/conformance.md`.
 */
const WEBHOOK_ID = '1JE4291016473214C';
const MERCHANT = 'CONFORMANCE01';

let server: ServerProcess;
let webhookPort: number;
let plans: PayPalPlans;
let wallet: PayPalWallet;

const control = <Reply = unknown>(path: string, body?: object): Promise<Reply> => server.control<Reply>(path, body);

const newId = (prefix: string): string => `${prefix}${randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase()}`;
const usd = (cents: number) => ({ currency_code: 'USD', value: (cents / 100).toFixed(2) });
const planIdOf = (price: string, trial: boolean): string =>
  `P-${createHash('sha256').update(`${price}:${trial}`).digest('hex').slice(0, 24).toUpperCase()}`;

async function createPlans(trial: boolean): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const price of PRICES) {
    if (price.kind !== 'plan') continue;
    const id = planIdOf(price.id, trial);
    ids[price.id] = id;
    const currency_code = price.currency.toUpperCase();
    const free = {
      tenure_type: 'TRIAL',
      sequence: 1,
      total_cycles: 1,
      frequency: { interval_unit: 'DAY', interval_count: 7 },
      pricing_scheme: { fixed_price: { currency_code, value: '0' } },
    };
    const regular = {
      tenure_type: 'REGULAR',
      sequence: trial ? 2 : 1,
      total_cycles: 0,
      frequency: { interval_unit: 'WEEK', interval_count: WEEKS_PER_PERIOD[price.period] },
      pricing_scheme: { fixed_price: { currency_code, value: (price.amountCents / 100).toFixed(2) } },
    };
    await control('/put', { id, billing_cycles: trial ? [free, regular] : [regular] });
  }
  return ids;
}

beforeAll(async () => {
  webhookPort = await freePort();
  const options = ['--webhook-url', `http://127.0.0.1:${webhookPort}/`, '--webhook-id', WEBHOOK_ID];
  server = await ServerProcess.start(CONFORMANCE_SCRIPTS?.paypal ?? '', await freePort(), options);
  const config = paypalConfig(server.url, {
    PAYPAL_CLIENT_ID: 'conformance',
    PAYPAL_MERCHANT_ID: MERCHANT,
    PAYPAL_WEBHOOK_ID: WEBHOOK_ID,
    PAYPAL_PLANS: JSON.stringify(await createPlans(false)),
    PAYPAL_TRIAL_PLANS: JSON.stringify(await createPlans(true)),
  });
  plans = new PayPalPlans(config);
  wallet = new PayPalWallet(config, plans, new SystemClock());
});

afterAll(() => server.stop());

async function subscription(): Promise<string> {
  const id = newId('I-');
  const sale = newId('S');
  const now = new Date().toISOString();
  const next = new Date(Date.now() + 7 * 86_400_000).toISOString();
  await control('/put', { id: sale, status: 'COMPLETED', amount: usd(999), _left: 999 });
  await control('/put', {
    id,
    status: 'ACTIVE',
    plan_id: planIdOf('personal_weekly_usd', false),
    custom_id: 'buyer-1',
    create_time: now,
    start_time: now,
    billing_info: { last_payment: { amount: usd(999), time: now }, next_billing_time: next, failed_payments_count: 0 },
    _tx: [{ id: sale, status: 'COMPLETED', amount_with_breakdown: { gross_amount: usd(999) }, time: now }],
  });
  return id;
}

async function approvedOrder(extra: object = {}): Promise<string> {
  const id = newId('');
  const unit = { amount: usd(499), custom_id: 'buyer-1', payee: { merchant_id: MERCHANT } };
  await control('/put', { id, status: 'APPROVED', intent: 'CAPTURE', purchase_units: [unit], ...extra });
  return id;
}

describe('the PayPal adapter', () => {
  it('compares its plans', () => plans.onApplicationBootstrap());

  it('reads, refunds and ends a subscription', async () => {
    const id = await subscription();
    expect(await wallet.readSubscription(id)).toMatchObject({ status: 'active', paidCents: 999, reference: 'buyer-1' });
    const key = randomUUID();
    expect(await wallet.refundSubscription(id, 300, key)).toBe(300);
    expect(await wallet.refundSubscription(id, 300, key)).toBe(300);
    expect(await wallet.endSubscription(id, randomUUID())).toMatchObject({ status: 'canceled' });
    expect(await wallet.endSubscription(id, randomUUID())).toMatchObject({ status: 'canceled' });
    expect(await wallet.readSubscription('I-NONE')).toBeNull();
  });

  it('refunds the rest when more was asked for', async () => {
    const id = await subscription();
    expect(await wallet.refundSubscription(id, 600, randomUUID())).toBe(600);
    expect(await wallet.refundSubscription(id, 600, randomUUID())).toBe(399);
    expect(await wallet.refundSubscription(id, 600, randomUUID())).toBe(0);
  });

  it('captures an order once', async () => {
    const id = await approvedOrder();
    expect(await wallet.readPayment(id)).toMatchObject({ status: 'approved', amountCents: 499, currency: 'usd' });
    const key = randomUUID();
    expect(await wallet.capturePayment(id, key)).toMatchObject({ status: 'succeeded' });
    expect(await wallet.capturePayment(id, key)).toMatchObject({ status: 'succeeded' });
    expect(await wallet.capturePayment(id, randomUUID())).toMatchObject({ status: 'succeeded' });
    expect(await wallet.readPayment('NONE')).toBeNull();
  });

  it('refunds a captured order once', async () => {
    const id = await approvedOrder();
    const key = randomUUID();
    await wallet.refundPayment(id, key);
    await wallet.capturePayment(id, randomUUID());
    await wallet.refundPayment(id, key);
    await wallet.refundPayment(id, key);
    expect(await wallet.readPayment(id)).toMatchObject({ status: 'succeeded', refundedCents: 499 });
  });

  it('reports a declined capture', async () => {
    await expect(wallet.capturePayment(await approvedOrder({ _decline: true }), randomUUID())).rejects.toMatchObject({
      name: 'PaymentDeclined',
    });
  });

  it('creates subscriptions and orders for approval', async () => {
    const approval = {
      planId: planIdOf('personal_weekly_usd', false),
      amountCents: 499,
      currency: 'usd' as const,
      customId: 'buyer-1',
      returnUrl: 'http://127.0.0.1:3000/checkout/return?priceId=a',
      key: randomUUID(),
    };
    // The requests are valid, but the server's responses have no links.
    await expect(wallet.approvalPage(approval)).rejects.toThrow('PayPal has no approval link for I-');
    await expect(wallet.approvalPage({ ...approval, planId: null })).rejects.toThrow('PayPal has no approval link');
  });

  it('looks for approvals', async () => {
    expect(await wallet.findApprovals('buyer-none')).toEqual([]);
  });

  it.each([
    ['a signed event', false, '1.0', 'SUCCESS'],
    ['a forged event', true, '1', null],
  ])('verifies %s', async (_name, forge, total, expected) => {
    const received = Promise.withResolvers<{ body: Buffer; headers: IncomingHttpHeaders }>();
    const receiver = createServer(async (request, response) => {
      received.resolve({ body: Buffer.concat(await request.toArray()), headers: request.headers });
      response.end();
    }).listen(webhookPort, '127.0.0.1');
    await once(receiver, 'listening');
    const event = `{"id":"WH-1", "event_type":"PAYMENT.SALE.COMPLETED","resource":{"id":"S1","billing_agreement_id":"I-1","total":${total}}}`;
    await control('/webhook', { event, forge });
    const { body, headers } = await received.promise;
    receiver.closeAllConnections();
    receiver.close();
    const result = await wallet.readEvent(body, headers);
    expect(result && 'SUCCESS').toBe(expected);
    if (result) expect(result.subject).toEqual({ provider: 'paypal', kind: 'subscription', id: 'I-1' });
  });
});
