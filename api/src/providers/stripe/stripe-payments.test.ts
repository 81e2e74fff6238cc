import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CARD } from '../../../test/support/billing/card-payer.js';
import { newKey, StripeSandbox, stripeConfig } from '../../../test/support/billing/stripe-sandbox.js';
import { EventReceiver, type ReceivedEvent } from '../../../test/support/billing/webhook-receiver.js';
import { StripePrices } from './stripe-prices.js';

let receiver: EventReceiver;
let sandbox: StripeSandbox;

beforeAll(async () => {
  receiver = await EventReceiver.start();
  sandbox = await StripeSandbox.start(receiver.url);
});
afterAll(async () => {
  await sandbox.stop();
  receiver.stop();
});

const order = async () => ({
  customerId: await sandbox.customer(),
  amountCents: 499,
  currency: 'usd' as const,
  reference: newKey(),
  key: newKey(),
});

const idOf = (clientSecret: string): string => clientSecret.split('_secret_')[0] ?? '';

const eventAbout = async (type: string, id: string): Promise<ReceivedEvent> => {
  await sandbox.server.webhooks.deliver();
  return receiver.eventAbout(type, id);
};

describe('a payment by card', () => {
  it('is pending until a card pays, also after a declined one', async () => {
    const { customerId, reference, ...rest } = await order();
    const { id, clientSecret } = await sandbox.cards.createPaymentIntent({ customerId, reference, ...rest });
    expect(clientSecret).toMatch(/^sbx_pi_\w+_secret_/);
    expect(await sandbox.confirm(clientSecret, CARD.insufficientFunds)).toEqual({
      status: 'failed',
      errorCode: 'insufficient_funds',
    });
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ status: 'pending', customerId, reference });
    expect(await sandbox.confirm(clientSecret, CARD.succeeds)).toMatchObject({ status: 'succeeded' });
    const paid = { status: 'succeeded', amountCents: 499, currency: 'usd', refundedCents: 0, isDisputed: false };
    expect(await sandbox.cards.readPayment(id)).toMatchObject(paid);
    expect(await sandbox.confirm(clientSecret, CARD.declined)).toMatchObject({ status: 'succeeded' });
  });

  it('is refunded once, by what is left', async () => {
    const { id, clientSecret } = await sandbox.cards.createPaymentIntent(await order());
    const key = newKey();
    await sandbox.cards.refundPayment(id, key);
    await sandbox.confirm(clientSecret, CARD.succeeds);
    await sandbox.server.stripe.refundPayment(id, 200);
    await Promise.all([sandbox.cards.refundPayment(id, key), sandbox.cards.refundPayment(id, key)]);
    await sandbox.cards.refundPayment(id, newKey());
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ status: 'succeeded', refundedCents: 499 });
  });

  it('is not refunded while it is disputed', async () => {
    const { id, clientSecret } = await sandbox.cards.createPaymentIntent(await order());
    await sandbox.confirm(clientSecret, CARD.succeeds);
    await sandbox.server.stripe.dispute(id);
    await sandbox.cards.refundPayment(id, newKey());
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ refundedCents: 0, isDisputed: true });
  });

  it('is refunded and no longer disputed after its dispute is won', async () => {
    const { id, clientSecret } = await sandbox.cards.createPaymentIntent(await order());
    await sandbox.confirm(clientSecret, CARD.succeeds);
    await sandbox.server.stripe.dispute(id);
    await sandbox.server.stripe.winDispute(id);
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ isDisputed: false });
    await sandbox.cards.refundPayment(id, newKey());
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ refundedCents: 499 });
  });

  it('shows refunds and disputes', async () => {
    const { id, clientSecret } = await sandbox.cards.createPaymentIntent(await order());
    await sandbox.confirm(clientSecret, CARD.succeeds);
    expect(await sandbox.server.stripe.refundPayment(id, 200)).toBe(200);
    expect(await sandbox.server.stripe.refundPayment(id, 999)).toBe(299);
    await sandbox.server.stripe.dispute(id);
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ refundedCents: 499, isDisputed: true });
  });

  it('is cancelled after 24 hours without a card', async () => {
    const { id } = await sandbox.cards.createPaymentIntent(await order());
    await sandbox.advance(86_400);
    expect(await sandbox.cards.readPayment(id)).toMatchObject({ status: 'canceled' });
    expect(await sandbox.events(id)).toEqual(['payment_intent.canceled']);
  });

  it('is not found by an unknown id', async () => {
    expect(await sandbox.cards.readPayment('sbx_pi_none')).toBeNull();
    expect(await sandbox.cards.readSubscription('sbx_sub_none')).toBeNull();
    expect(await sandbox.cards.readPaymentMethod('sbx_pm_none')).toBeNull();
  });
});

describe('a saved card', () => {
  it('belongs to its customer and keeps its fingerprint', async () => {
    const first = await sandbox.cardHolder(CARD.sameFingerprint);
    const second = await sandbox.cardHolder(CARD.sameFingerprint);
    const methods = await Promise.all(
      [first, second].map(({ paymentMethodId }) => sandbox.cards.readPaymentMethod(paymentMethodId)),
    );
    expect(methods[0]?.customerId).toBe(first.customerId);
    expect(methods[0]?.fingerprint).toBe(methods[1]?.fingerprint);
  });

  it('is confirmed on the page of its bank', async () => {
    const { clientSecret } = await sandbox.cards.createSetupIntent(await sandbox.customer(), newKey());
    const response = await sandbox.call(`/payments/setup_intents/${idOf(clientSecret)}/confirm`, {
      card_number: CARD.redirected,
      return_url: '/checkout',
    });
    const { status, redirect_url: address } = (await response.json()) as { status: string; redirect_url: string };
    expect(status).toBe('requires_action');
    const page = new URL(address);
    const shown = await fetch(`${sandbox.server.url}${page.pathname}${page.search}`);
    expect(await shown.text()).toContain('Your bank asks: is this you?');
    const form = new URLSearchParams({ client_secret: clientSecret, return_url: '/checkout', action: 'approve' });
    const back = await fetch(`${sandbox.server.url}${page.pathname}`, {
      method: 'POST',
      body: form,
      redirect: 'manual',
    });
    expect(back.status).toBe(303);
    expect(back.headers.get('location')).toContain('redirect_status=succeeded');
  });
});

describe('the hosted checkout', () => {
  const page = async (returnUrl = 'http://127.0.0.1:3000/checkout/return') => {
    const { customerId, reference, key } = await order();
    const priceId = sandbox.prices.idOf('single_export_usd');
    return sandbox.cards.createPaymentPage({ customerId, priceId, reference, returnUrl, key });
  };

  it('is announced by events that name the session', async () => {
    const { id, url } = await page();
    const { pathname } = new URL(url);
    const paid = await fetch(`${sandbox.server.url}${pathname}`, {
      method: 'POST',
      body: new URLSearchParams({ session: id, card_number: CARD.succeeds, action: 'pay' }),
      redirect: 'manual',
    });
    expect(paid.headers.get('location')).toBe(
      `http://127.0.0.1:3000/checkout/return?redirect_status=succeeded&payment_intent=${id}`,
    );
    const completed = await eventAbout('checkout.session.completed', id);
    const subject = { provider: 'stripe', kind: 'payment', id };
    expect(await sandbox.cards.readEvent(completed.body, completed.headers)).toMatchObject({ subject });
    const closed = await page();
    await sandbox.cards.cancelPayment(closed.id, newKey());
    const expired = await eventAbout('checkout.session.expired', closed.id);
    expect(await sandbox.cards.readEvent(expired.body, expired.headers)).toMatchObject({
      subject: { ...subject, id: closed.id },
    });
  });

  it('rejects what Stripe rejects', async () => {
    const { customerId } = await order();
    const shared = `customer=${customerId}&allowed_payment_method_types[0]=card&success_url=https%3A%2F%2Fa.example`;
    const price = 'line_items[0][price]=sbx_price_single_export_usd&line_items[0][quantity]=1';
    for (const [form, code, param] of [
      [`mode=payment&${shared}`, 'parameter_missing', 'line_items'],
      [`mode=setup&${shared}&${price}`, 'parameter_unknown', 'line_items'],
      [
        `mode=payment&${shared}&${price.replace('single_export', 'personal_weekly')}`,
        'price_type',
        'line_items[0][price]',
      ],
      [`mode=payment&${shared}&${price.replace('single_export', 'none')}`, 'resource_missing', 'line_items[0][price]'],
      [`mode=setup&${shared}&return_url=https%3A%2F%2Fa.example`, 'parameter_unknown', 'return_url'],
      [`mode=setup&${shared.replace('https%3A', '')}`, 'url_invalid', 'success_url'],
    ] as const) {
      const { status, body } = await sandbox.stripe('/v1/checkout/sessions', form);
      expect([status, body.error]).toMatchObject([400, { code, param }]);
    }
    const { id } = await page();
    expect((await sandbox.stripe(`/v1/checkout/sessions/${id}/expire`, '')).status).toBe(200);
    const again = await sandbox.stripe(`/v1/checkout/sessions/${id}/expire`, '');
    expect(again.body.error.code).toBe('resource_invalid_state');
  });
});

describe('an event', () => {
  it('is verified by its signature over the raw body, for 300 seconds', async () => {
    const { id, clientSecret } = await sandbox.cards.createPaymentIntent(await order());
    await sandbox.confirm(clientSecret, CARD.succeeds);
    const { body, headers } = await eventAbout('payment_intent.succeeded', id);
    const subject = { provider: 'stripe', kind: 'payment', id };
    expect(await sandbox.cards.readEvent(body, headers)).toMatchObject({ type: 'payment_intent.succeeded', subject });
    expect(await sandbox.cards.readEvent(Buffer.from(`${body} `), headers)).toBeNull();
    expect(await sandbox.cards.readEvent(body, {})).toBeNull();
    const eventId = JSON.parse(body.toString()).id;
    const from = receiver.events.length;
    for (const change of [{ tamper: true }, { age_seconds: 301 }, { times: 2 }]) {
      await sandbox.call('/webhooks', { event_id: eventId, ...change });
    }
    const replays = await Promise.all(
      receiver.events.slice(from).map((event) => sandbox.cards.readEvent(event.body, event.headers)),
    );
    expect(replays.map((event) => event?.id ?? null)).toEqual([null, null, eventId, eventId]);
  });

  it('about a charge names the subscription that it paid', async () => {
    const { id } = await sandbox.subscribe();
    await sandbox.cards.refundSubscription(id, 100, newKey());
    const [charge] = await sandbox.chargesOf(id);
    expect(charge).toMatchObject({ amount: 999 });
    await sandbox.server.webhooks.deliver();
    const refunds = receiver.events.filter(({ body }) => JSON.parse(body.toString()).type === 'charge.refunded');
    const events = await Promise.all(refunds.map(({ body, headers }) => sandbox.cards.readEvent(body, headers)));
    expect(events.map((event) => event?.subject)).toContainEqual({ provider: 'stripe', kind: 'subscription', id });
  });
});

describe('the prices', () => {
  it('are compared with the catalogue at the start', async () => {
    await sandbox.prices.onApplicationBootstrap();
    const swapped = new StripePrices(stripeConfig(sandbox.server.url, 'sbx_sk_tests', 'sbx_price_other_*'));
    await expect(swapped.onApplicationBootstrap()).rejects.toThrow('STRIPE_PRICES: ');
  });

  it('may stay unchecked while Stripe is unreachable', async () => {
    await new StripePrices(stripeConfig('http://127.0.0.1:1', 'sbx_sk_tests')).onApplicationBootstrap();
  });
});
