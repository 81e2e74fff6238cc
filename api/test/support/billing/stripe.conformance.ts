import { randomUUID } from 'node:crypto';
import { PRICES } from '@clearframe/contract';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../../runtime/test/ports.js';
import { PaymentDeclined } from '../../../src/providers/provider-errors.js';
import { StripeConfig } from '../../../src/providers/stripe/stripe.config.js';
import { StripeCards } from '../../../src/providers/stripe/stripe-cards.js';
import { StripePrices } from '../../../src/providers/stripe/stripe-prices.js';
import { ServerProcess } from '../providers/conformance/server-process.js';
import { CONFORMANCE_SCRIPTS } from '../providers/needs-sandbox.js';

/**
 * Every call of the adapter against a server that validates requests by Stripe's published API description. See
 * `docs/conformance.md`.
 */
const SECRET_KEY = 'sk_test_conformance';
const WEBHOOK_SECRET = 'whsec_conformance';

let server: ServerProcess;
let stripe: Stripe;
let cards: StripeCards;
let prices: StripePrices;

const control = <Reply = unknown>(path: string, body?: object): Promise<Reply> => server.control<Reply>(path, body);

async function createPrices(): Promise<{ prices: Record<string, string>; offers: Record<string, string> }> {
  const ids: Record<string, string> = {};
  const offers: Record<string, string> = {};
  const { id: product } = await stripe.products.create({ name: 'Clearframe' });
  for (const price of PRICES) {
    const weeks = { weekly: 1, monthly: 4, yearly: 52 };
    const interval_count = price.kind === 'plan' ? weeks[price.period] : 1;
    const created = await stripe.prices.create({
      currency: price.currency,
      unit_amount: price.amountCents,
      product,
      ...(price.kind !== 'pack' && { recurring: { interval: 'week', interval_count } }),
    });
    ids[price.id] = created.id;
  }
  for (const price of PRICES) {
    if (price.kind !== 'intro') continue;
    const offer = await stripe.productCatalog.trialOffers.create({
      price: ids[price.id] ?? '',
      duration: { type: 'relative', relative: { iterations: 1 } },
      end_behavior: { transition: { price: ids[price.planPriceId] ?? '' } },
    });
    offers[price.id] = offer.id;
  }
  return { prices: ids, offers };
}

beforeAll(async () => {
  server = await ServerProcess.start(CONFORMANCE_SCRIPTS?.stripe ?? '', await freePort(), []);
  const { hostname: host, port } = new URL(server.url);
  stripe = new Stripe(SECRET_KEY, { host, port, protocol: 'http' });
  const created = await createPrices();
  const config = StripeConfig.fromEnvironment({
    PUBLIC_URL: 'http://127.0.0.1:3000',
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_PUBLISHABLE_KEY: 'pk_test_conformance',
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_PRICES: JSON.stringify(created.prices),
    STRIPE_TRIAL_OFFERS: JSON.stringify(created.offers),
    STRIPE_API_URL: server.url,
  });
  prices = new StripePrices(config);
  cards = new StripeCards(config, prices);
});

afterAll(() => server.stop());

/** @param method as the server's controls make it */
async function holder(method: object = {}) {
  const customerId = await cards.ensureCustomer({ id: randomUUID(), email: 'payer@example.com' });
  const { clientSecret } = await cards.createSetupIntent(customerId, randomUUID());
  const { id: payment_method } = await control<{ id: string }>('/payment_methods', { outcome: 'success', ...method });
  await control(`/setup_intents/${clientSecret.split('_secret_')[0]}/confirm`, { payment_method });
  return { customerId, paymentMethodId: payment_method };
}

const DECLINED_LATER = { outcome: 'decline', late: true };

const subscribe = async (order: Partial<Parameters<StripeCards['createSubscription']>[0]> = {}) =>
  cards.createSubscription({
    ...(order.customerId === undefined ? await holder() : { customerId: '', paymentMethodId: null }),
    priceId: prices.idOf('personal_weekly_usd'),
    introPriceId: null,
    trialDays: null,
    reference: randomUUID(),
    failIfUnpaid: false,
    key: randomUUID(),
    ...order,
  });

describe('the Stripe adapter', () => {
  it('compares its prices', () => prices.onApplicationBootstrap());

  it('keeps one customer for a user, with a card', async () => {
    const user = { id: randomUUID(), email: 'a@example.com' };
    expect(await cards.ensureCustomer(user)).toBe(await cards.ensureCustomer(user));
    const { customerId, paymentMethodId } = await holder();
    expect(await cards.readPaymentMethod(paymentMethodId)).toMatchObject({ customerId });
    expect(await cards.readPaymentMethod('pm_none')).toBeNull();
  });

  it('subscribes with a card, a trial and an introductory price', async () => {
    expect(await subscribe()).toMatchObject({ status: 'active', paidCents: 999, hasIntro: false });
    expect(await subscribe({ trialDays: 7 })).toMatchObject({ status: 'trialing', paidCents: 0 });
    const introPriceId = prices.idOf('personal_intro_usd');
    const priceId = prices.idOf('personal_weekly_usd');
    expect(await subscribe({ introPriceId })).toMatchObject({
      status: 'active',
      hasIntro: true,
      priceId,
      paidCents: 99,
    });
  });

  it('leaves a declined subscription incomplete until another card pays', async () => {
    const first = await holder(DECLINED_LATER);
    const { id, status } = await subscribe(first);
    expect(status).toBe('incomplete');
    const { clientSecret } = await cards.createSetupIntent(first.customerId, randomUUID());
    const { id: method } = await control<{ id: string }>('/payment_methods', { outcome: 'success' });
    await control(`/setup_intents/${clientSecret.split('_secret_')[0]}/confirm`, { payment_method: method });
    const pay = (paymentMethodId: string) =>
      cards.payOpenInvoice({ subscriptionId: id, paymentMethodId, key: randomUUID() });
    expect(await pay(first.paymentMethodId)).toMatchObject({ status: 'incomplete' });
    expect(await pay(method)).toMatchObject({ status: 'active', paidCents: 999 });
    expect(await pay(method)).toMatchObject({ status: 'active', paidCents: 999 });
  });

  it('creates nothing for a declined card when it must be paid', async () => {
    const customer = await holder(DECLINED_LATER);
    await expect(subscribe({ ...customer, failIfUnpaid: true })).rejects.toThrow(PaymentDeclined);
    expect(await cards.listSubscriptions(customer.customerId)).toEqual([]);
  });

  it('cancels, resumes, ends and refunds', async () => {
    const { id, customerId } = await subscribe();
    expect(await cards.setCancelAtPeriodEnd(id, true, randomUUID())).toMatchObject({ cancelAtPeriodEnd: true });
    expect(await cards.setCancelAtPeriodEnd(id, false, randomUUID())).toMatchObject({ cancelAtPeriodEnd: false });
    const key = randomUUID();
    expect(await cards.refundSubscription(id, 300, key)).toBe(300);
    expect(await cards.refundSubscription(id, 300, key)).toBe(300);
    expect(await cards.endSubscription(id, randomUUID())).toMatchObject({ status: 'canceled', paidCents: 699 });
    expect(await cards.endSubscription(id, randomUUID())).toMatchObject({ status: 'canceled' });
    expect(await cards.listSubscriptions(customerId ?? '')).toMatchObject([{ id, status: 'canceled' }]);
    expect(await cards.readSubscription('sub_none')).toBeNull();
  });

  it('voids the invoice of an incomplete subscription', async () => {
    const { id } = await subscribe(await holder(DECLINED_LATER));
    await cards.voidIncompleteSubscription(id, randomUUID());
  });

  it('takes a single payment', async () => {
    const { customerId } = await holder();
    const order = { customerId, amountCents: 499, currency: 'usd' as const, reference: 'r', key: randomUUID() };
    const { id } = await cards.createPaymentIntent(order);
    expect(await cards.readPayment(id)).toMatchObject({ status: 'pending', reference: 'r' });
    await control(`/payment_intents/${id}/confirm`, {});
    expect(await cards.readPayment(id)).toMatchObject({ status: 'succeeded', amountCents: 499, refundedCents: 0 });
    await control(`/disputes/${(await stripe.paymentIntents.retrieve(id)).latest_charge}`, {});
    expect(await cards.readPayment(id)).toMatchObject({ isDisputed: true });
  });

  it('refunds a single payment once', async () => {
    const { customerId } = await holder();
    const order = { customerId, amountCents: 499, currency: 'usd' as const, reference: 'r', key: randomUUID() };
    const { id } = await cards.createPaymentIntent(order);
    const key = randomUUID();
    await cards.refundPayment(id, key);
    await control(`/payment_intents/${id}/confirm`, {});
    await cards.refundPayment(id, key);
    await cards.refundPayment(id, key);
    expect(await cards.readPayment(id)).toMatchObject({ status: 'succeeded', refundedCents: 499 });
  });

  it('opens payment pages, reads what they stand for and closes them', async () => {
    const { customerId } = await holder();
    const returnUrl = 'http://127.0.0.1:3000/checkout/return?priceId=a';
    const setup = await cards.createSetupPage({ customerId, returnUrl, key: randomUUID() });
    expect(setup).toMatch(/^https:/);
    const priceId = prices.idOf('single_export_usd');
    const order = { customerId, priceId, reference: 'r', returnUrl, key: randomUUID() };
    const { id, url } = await cards.createPaymentPage(order);
    expect(cards.isPaymentPage(id)).toBe(true);
    expect(url).toMatch(/^https:/);
    expect(await cards.createPaymentPage(order)).toMatchObject({ id });
    // The request is valid, but the server's sessions have no currency.
    await expect(cards.readPayment(id)).rejects.toThrow("which the product doesn't sell in");
    expect(await cards.readPaymentMethod(id)).toBeNull();
    await cards.cancelPayment(id, randomUUID());
    expect(await cards.readPayment('cs_test_none')).toBeNull();
    const { clientSecret } = await cards.createSetupIntent(customerId, randomUUID());
    const [intent = ''] = clientSecret.split('_secret_');
    await control(`/setup_intents/${intent}/confirm`, {});
    expect(await cards.readPaymentMethod(intent)).toMatchObject({ customerId });
    const payment = { customerId, amountCents: 499, currency: 'usd' as const, reference: 'r', key: randomUUID() };
    const unpaid = await cards.createPaymentIntent(payment);
    await cards.cancelPayment(unpaid.id, randomUUID());
    expect(await cards.readPayment(unpaid.id)).toMatchObject({ status: 'canceled' });
  });

  it('opens the portal and reads events', async () => {
    const { customerId } = await holder();
    expect(await cards.openPortal(customerId)).toMatch(/^https:/);
    const { id } = await cards.createPaymentIntent({
      customerId,
      amountCents: 499,
      currency: 'usd',
      reference: 'r',
      key: randomUUID(),
    });
    const object = { object: 'charge', id: 'ch_1', payment_intent: id };
    const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'charge.refunded', data: { object } });
    const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
    const event = await cards.readEvent(Buffer.from(payload), { 'stripe-signature': signature });
    expect(event?.subject).toEqual({ provider: 'stripe', kind: 'payment', id });
  });
});
