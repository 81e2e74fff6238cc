import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_SECONDS, PayPalSandbox } from '../../../test/support/billing/paypal-sandbox.js';
import { WebhookReceiver } from '../../../test/support/billing/webhook-receiver.js';
import { ProviderUnavailable } from '../payment-provider.js';

let sandbox: PayPalSandbox;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await WebhookReceiver.listen();
  sandbox = await PayPalSandbox.start(receiver.url);
});
afterAll(async () => {
  await sandbox.stop();
  await receiver.close();
});

const ORDER = { amountCents: 999, currency: 'usd', customId: 'buyer-1' };
const newKey = (): string => randomUUID();

describe('an order', () => {
  it('is captured once', async () => {
    const id = await sandbox.server.wallet.pay({ ...ORDER, payerEmail: 'payer@example.com' });
    const approved = { id, provider: 'paypal', reference: 'buyer-1', amountCents: 999, currency: 'usd' };
    expect(await sandbox.wallet.readPayment(id)).toMatchObject({ ...approved, status: 'approved' });
    const key = newKey();
    const captured = await sandbox.wallet.capturePayment(id, key);
    expect(captured).toMatchObject({ ...approved, status: 'succeeded', payerEmail: 'payer@example.com' });
    expect(await sandbox.wallet.capturePayment(id, key)).toEqual(captured);
    expect(await sandbox.wallet.capturePayment(id, newKey())).toEqual(captured);
    expect(await sandbox.events(id)).toEqual(['CHECKOUT.ORDER.APPROVED', 'PAYMENT.CAPTURE.COMPLETED']);
  });

  it('whose capture had no response is captured by the same key', async () => {
    const id = await sandbox.server.wallet.pay(ORDER);
    const key = newKey();
    sandbox.server.walletFaults.add({ operation: 'change', kind: 'drop_after', times: 1 });
    await expect(sandbox.wallet.capturePayment(id, key)).rejects.toThrow(ProviderUnavailable);
    expect(await sandbox.wallet.capturePayment(id, key)).toMatchObject({ status: 'succeeded' });
  });

  it('is refunded once, by what is left', async () => {
    const id = await sandbox.server.wallet.pay(ORDER);
    const key = newKey();
    await sandbox.wallet.refundPayment(id, key);
    await sandbox.wallet.capturePayment(id, newKey());
    await sandbox.server.wallet.refundPayment(id, 333);
    await Promise.all([sandbox.wallet.refundPayment(id, key), sandbox.wallet.refundPayment(id, key)]);
    await sandbox.wallet.refundPayment(id, newKey());
    expect(await sandbox.wallet.readPayment(id)).toMatchObject({ status: 'succeeded', refundedCents: 999 });
  });

  it('is not refunded while it is disputed', async () => {
    const id = await sandbox.server.wallet.pay(ORDER);
    await sandbox.wallet.capturePayment(id, newKey());
    await sandbox.server.wallet.dispute(id);
    await sandbox.wallet.refundPayment(id, newKey());
    expect(await sandbox.wallet.readPayment(id)).toMatchObject({ refundedCents: 0, isDisputed: true });
  });

  it('is refunded and no longer disputed after its dispute is won', async () => {
    const id = await sandbox.server.wallet.pay(ORDER);
    await sandbox.wallet.capturePayment(id, newKey());
    await sandbox.server.wallet.dispute(id);
    expect(await sandbox.wallet.readPayment(id)).toMatchObject({ isDisputed: true });
    await sandbox.server.wallet.winDispute(id);
    expect(await sandbox.wallet.readPayment(id)).toMatchObject({ isDisputed: false });
    await sandbox.wallet.refundPayment(id, newKey());
    expect(await sandbox.wallet.readPayment(id)).toMatchObject({ refundedCents: 999 });
  });

  it('presents refunds and disputes', async () => {
    const id = await sandbox.server.wallet.pay(ORDER);
    await sandbox.wallet.capturePayment(id, newKey());
    await sandbox.server.wallet.refundPayment(id, 333);
    await sandbox.server.wallet.dispute(id);
    expect(await sandbox.wallet.readPayment(id)).toMatchObject({
      status: 'succeeded',
      refundedCents: 333,
      isDisputed: true,
    });
  });

  it('to another account is not found', async () => {
    const id = await sandbox.server.wallet.pay(ORDER, 'SBXOTHER');
    expect(await sandbox.wallet.readPayment(id)).toBeNull();
  });

  it('that is not captured is voided after a day', async () => {
    const id = await sandbox.server.wallet.pay(ORDER);
    await sandbox.advance(DAY_SECONDS);
    expect(await sandbox.wallet.readPayment(id)).toMatchObject({ status: 'canceled' });
    expect(await sandbox.wallet.capturePayment(id, newKey())).toMatchObject({ status: 'canceled' });
  });

  it.each([429, 500, 503])('can be read again after a response with %d', async (status) => {
    const id = await sandbox.server.wallet.pay(ORDER);
    sandbox.server.walletFaults.add({ operation: '*', kind: 'error', times: 1, status });
    await expect(sandbox.wallet.readPayment(id)).rejects.toThrow(ProviderUnavailable);
    expect(await sandbox.wallet.readPayment(id)).toMatchObject({ status: 'approved' });
  });
});

describe('approvals', () => {
  it('are found by their custom_id', async () => {
    const customId = `buyer-${randomUUID().slice(0, 8)}`;
    const subscription = await sandbox.subscribe('personal_weekly_usd', { customId });
    const order = await sandbox.server.wallet.pay({ ...ORDER, customId });
    expect(await sandbox.wallet.findApprovals(customId)).toEqual([
      { kind: 'subscription', id: subscription },
      { kind: 'payment', id: order },
    ]);
    expect(await sandbox.wallet.findApprovals('buyer-none')).toEqual([]);
  });
});

describe('an event', () => {
  const deliveredFor = async (id: string) => {
    await sandbox.server.webhooks.deliver();
    return receiver.deliveries.filter(({ body }) => body.includes(id));
  };

  it.each([
    ['a subscription', async () => sandbox.subscribe(), 'subscription'],
    ['an order', async () => sandbox.server.wallet.pay(ORDER), 'payment'],
  ] as const)('names %s', async (_name, approve, kind) => {
    const id = await approve();
    for (const { body, headers } of await deliveredFor(id)) {
      expect(await sandbox.wallet.readEvent(body, headers)).toMatchObject({
        subject: { provider: 'paypal', kind, id },
      });
    }
  });

  it('of a refund or dispute names its order or subscription', async () => {
    const order = await sandbox.server.wallet.pay(ORDER);
    await sandbox.wallet.capturePayment(order, newKey());
    const subscription = await sandbox.subscribe();
    const before = (await deliveredFor('')).length;
    for (const id of [order, subscription]) {
      await sandbox.server.wallet.refundPayment(id, 100);
      await sandbox.server.wallet.dispute(id);
    }
    const delivered = (await deliveredFor('')).slice(before);
    const events = await Promise.all(delivered.map(({ body, headers }) => sandbox.wallet.readEvent(body, headers)));
    expect(events.map((event) => [event?.type, event?.subject?.id])).toEqual([
      ['PAYMENT.CAPTURE.REFUNDED', order],
      ['CUSTOMER.DISPUTE.CREATED', order],
      ['PAYMENT.CAPTURE.REFUNDED', subscription],
      ['CUSTOMER.DISPUTE.CREATED', subscription],
    ]);
  });

  it('is valid for its exact bytes only', async () => {
    const [delivery] = await deliveredFor(await sandbox.subscribe());
    if (!delivery) throw new Error('nothing was delivered');
    const { body, headers } = delivery;
    const text = body.toString();
    const forged = [
      JSON.stringify(JSON.parse(text)),
      `${text} `,
      text.replace('BILLING.', 'billing.'),
      '',
      'null',
      `${text},"webhook_id":"other"`,
    ];
    for (const one of forged) expect(await sandbox.wallet.readEvent(Buffer.from(one), headers)).toBeNull();
    const signature = { ...headers, 'paypal-transmission-sig': 'made-up' };
    expect(await sandbox.wallet.readEvent(body, signature)).toBeNull();
    const { 'paypal-cert-url': _certificate, ...incomplete } = headers;
    expect(await sandbox.wallet.readEvent(body, incomplete)).toBeNull();
    expect(await sandbox.wallet.readEvent(body, headers)).not.toBeNull();
  });

  it.each([
    [-240, true],
    [-360, false],
    [360, false],
  ])('signed %d s from now: %s', async (seconds, isGood) => {
    const id = await sandbox.subscribe();
    const [delivery] = await deliveredFor(id);
    const at = new Date(Date.now() + seconds * 1000);
    const before = receiver.deliveries.length;
    await sandbox.server.webhooks.post('paypal', delivery?.body.toString() ?? '', at);
    const late = receiver.deliveries[before];
    if (!late) throw new Error('nothing was delivered');
    expect((await sandbox.wallet.readEvent(late.body, late.headers)) !== null).toBe(isGood);
  });
});
