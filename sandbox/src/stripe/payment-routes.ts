import { z } from 'zod';
import { newId } from '../core/ids.js';
import type { Transaction } from '../core/ledger.js';
import { page, route, type StripeRoute } from './api.js';
import { invalidRequest, noSuch } from './errors.js';
import { type Customer, findObject, listObjects, type Price, saveObject } from './objects.js';
import { currency, flag, integer, listParameters, metadata, parameters, text, webUrl } from './params.js';
import { cancelIntent, createPaymentIntent, createSetupIntent, refundPayment, subjectOfIntent } from './payments.js';
import { findPrice, findTrialOffer, listPrices } from './prices.js';
import { createSession, expireSession, SESSION_ID } from './sessions.js';

const METHOD_TYPES = z.array(z.enum(['card', 'paypal', 'link'])).min(1);

/** An address with `{CHECKOUT_SESSION_ID}`. */
const returnUrl = text.refine((address) => webUrl.safeParse(address.replace(SESSION_ID, 'id')).success, {
  error: 'url_invalid',
});

const creation = parameters({
  mode: z.enum(['setup', 'payment']),
  customer: text,
  line_items: z
    .array(z.strictObject({ price: text, quantity: integer(1).refine((count) => count === 1) }))
    .length(1)
    .optional(),
  allowed_payment_method_types: METHOD_TYPES,
  adaptive_pricing: z.strictObject({ enabled: flag }).optional(),
  metadata: metadata.optional(),
  payment_intent_data: z.strictObject({ metadata: metadata.optional() }).optional(),
  setup_intent_data: z.strictObject({ metadata: metadata.optional() }).optional(),
  success_url: returnUrl,
  cancel_url: returnUrl.optional(),
});

function priceOf({ mode, line_items: items, ...given }: z.output<typeof creation>): Price | null {
  const foreign = mode === 'setup' ? 'payment_intent_data' : 'setup_intent_data';
  if (given[foreign])
    throw invalidRequest('parameter_unknown', `You can not pass \`${foreign}\` in \`${mode}\` mode.`, foreign);
  if (mode === 'setup') {
    if (items)
      throw invalidRequest('parameter_unknown', 'You can not pass `line_items` in `setup` mode.', 'line_items');
    return null;
  }
  const [item] = items ?? [];
  if (!item) throw invalidRequest('parameter_missing', 'Missing required param: line_items.', 'line_items');
  const price = findPrice(item.price);
  if (!price) throw noSuch('price', item.price, 'line_items[0][price]', 400);
  if (price.type === 'one_time') return price;
  const message = 'You specified `payment` mode but passed a recurring price.';
  throw invalidRequest('price_type', message, 'line_items[0][price]');
}

async function requireSession(tx: Transaction, id: string) {
  const session = await findObject(tx, 'checkout.session', id);
  if (!session) throw noSuch('checkout.session', id, 'session');
  return session;
}

/** Hosted pages. @param pageUrl without a query */
export const checkoutRoutes = (pageUrl: string): readonly StripeRoute[] => [
  route('POST /v1/checkout/sessions', creation, async (tx, given) => {
    const { customer, success_url: successUrl, cancel_url: cancelUrl } = given;
    const price = priceOf(given);
    if (!(await findObject(tx, 'customer', customer))) throw noSuch('customer', customer, 'customer', 400);
    const intentMetadata = (given.payment_intent_data ?? given.setup_intent_data)?.metadata ?? {};
    const order = {
      customer,
      successUrl,
      cancelUrl: cancelUrl ?? null,
      metadata: given.metadata ?? {},
      intentMetadata,
      price,
    };
    return createSession(tx, order, pageUrl);
  }),
  route('GET /v1/checkout/sessions/{id}', parameters({}), (tx, _given, id) => requireSession(tx, id)),
  route('POST /v1/checkout/sessions/{id}/expire', parameters({}), async (tx, _given, id) =>
    expireSession(tx, await requireSession(tx, id)),
  ),
];

const MIN_AMOUNT = 50;
const MAX_AMOUNT = 99_999_999;

const customerFields = {
  email: text.max(512).optional(),
  name: text.max(256).optional(),
  description: text.optional(),
  metadata: metadata.optional(),
};

async function checkCustomer(tx: Parameters<StripeRoute['handle']>[0], id: string | undefined): Promise<void> {
  if (id !== undefined && !(await findObject(tx, 'customer', id))) throw noSuch('customer', id, 'customer', 400);
}

export const PAYMENT_ROUTES: readonly StripeRoute[] = [
  route('POST /v1/customers', parameters(customerFields), (tx, given) =>
    saveObject<Customer>(tx, {
      id: newId('cus'),
      object: 'customer',
      livemode: false,
      created: tx.now,
      email: given.email ?? null,
      name: given.name ?? null,
      description: given.description ?? null,
      balance: 0,
      invoice_settings: { default_payment_method: null },
      metadata: given.metadata ?? {},
    }),
  ),
  route('GET /v1/customers/{id}', parameters({}), async (tx, _given, id) => {
    const customer = await findObject(tx, 'customer', id);
    if (!customer) throw noSuch('customer', id);
    return customer;
  }),
  route('POST /v1/customers/{id}', parameters(customerFields), async (tx, given, id) => {
    const customer = await findObject(tx, 'customer', id);
    if (!customer) throw noSuch('customer', id);
    const { metadata: added, email, name, description } = given;
    return saveObject(tx, {
      ...customer,
      email: email ?? customer.email,
      name: name ?? customer.name,
      description: description ?? customer.description,
      metadata: { ...customer.metadata, ...added },
    });
  }),
  route('GET /v1/payment_methods/{id}', parameters({}), async (tx, _given, id) => {
    const method = await findObject(tx, 'payment_method', id);
    if (!method) throw noSuch('PaymentMethod', id, 'payment_method');
    return method;
  }),
  route(
    'POST /v1/setup_intents',
    parameters({
      customer: text.optional(),
      usage: z.enum(['off_session', 'on_session']).default('off_session'),
      allowed_payment_method_types: METHOD_TYPES.optional(),
      description: text.optional(),
      metadata: metadata.optional(),
    }),
    async (tx, given) => {
      await checkCustomer(tx, given.customer);
      return createSetupIntent(tx, {
        customer: given.customer ?? null,
        usage: given.usage,
        description: given.description ?? null,
        metadata: given.metadata ?? {},
      });
    },
  ),
  route('GET /v1/setup_intents/{id}', parameters({}), async (tx, _given, id) => {
    const intent = await findObject(tx, 'setup_intent', id);
    if (!intent) throw noSuch('setupintent', id, 'intent');
    return intent;
  }),
  route(
    'POST /v1/payment_intents',
    parameters({
      amount: integer(MIN_AMOUNT).refine((amount) => amount <= MAX_AMOUNT, { error: 'parameter_invalid_integer' }),
      currency,
      customer: text.optional(),
      allowed_payment_method_types: METHOD_TYPES.optional(),
      description: text.optional(),
      receipt_email: text.optional(),
      metadata: metadata.optional(),
    }),
    async (tx, given) => {
      await checkCustomer(tx, given.customer);
      return createPaymentIntent(tx, {
        amount: given.amount,
        currency: given.currency,
        customer: given.customer ?? null,
        description: given.description ?? null,
        receipt_email: given.receipt_email ?? null,
        metadata: given.metadata ?? {},
        expires: true,
      });
    },
  ),
  route('GET /v1/payment_intents/{id}', parameters({}), async (tx, _given, id) => requireIntent(tx, id)),
  route('POST /v1/payment_intents/{id}/cancel', parameters({}), async (tx, _given, id) => {
    const intent = await requireIntent(tx, id);
    if (intent.status === 'succeeded' || intent.status === 'canceled') {
      const message = `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`;
      throw invalidRequest('payment_intent_unexpected_state', message);
    }
    await cancelIntent(tx, intent);
    return intent;
  }),
  route(
    'GET /v1/charges',
    listParameters({ customer: text.optional(), payment_intent: text.optional() }),
    async (tx, given) => {
      const { customer, payment_intent } = given;
      return page('/v1/charges', await listObjects(tx, 'charge', { customer, payment_intent }), given);
    },
  ),
  route(
    'POST /v1/refunds',
    parameters({
      payment_intent: text,
      amount: integer(1).optional(),
      reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
      metadata: metadata.optional(),
    }),
    async (tx, given) => {
      const intent = await findObject(tx, 'payment_intent', given.payment_intent);
      if (!intent) throw noSuch('payment_intent', given.payment_intent, 'payment_intent');
      const order = { amount: given.amount, reason: given.reason, metadata: given.metadata ?? {} };
      return refundPayment(tx, intent, order, await subjectOfIntent(tx, intent.id));
    },
  ),
  route('GET /v1/refunds', listParameters({ payment_intent: text.optional() }), async (tx, given) => {
    const refunds = await listObjects(tx, 'refund', { payment_intent: given.payment_intent });
    return page('/v1/refunds', refunds, given);
  }),
  route(
    'GET /v1/disputes',
    listParameters({ charge: text.optional(), payment_intent: text.optional() }),
    async (tx, given) => {
      const { charge, payment_intent } = given;
      return page('/v1/disputes', await listObjects(tx, 'dispute', { charge, payment_intent }), given);
    },
  ),
  route('GET /v1/prices/{id}', parameters({}), async (_tx, _given, id) => {
    const price = findPrice(id);
    if (!price) throw noSuch('price', id, 'price');
    return price;
  }),
  route(
    'GET /v1/prices',
    listParameters({ active: flag.optional(), lookup_keys: z.array(text).max(10).optional() }),
    async (_tx, given) => {
      const { lookup_keys: keys } = given;
      const prices = listPrices().filter((price) => !keys || keys.includes(price.lookup_key));
      return page('/v1/prices', prices, given);
    },
  ),
  route('GET /v1/product_catalog/trial_offers/{id}', parameters({}), async (_tx, _given, id) => {
    const offer = findTrialOffer(id);
    if (!offer) throw noSuch('trial offer', id);
    return offer;
  }),
];

async function requireIntent(tx: Parameters<StripeRoute['handle']>[0], id: string) {
  const intent = await findObject(tx, 'payment_intent', id);
  if (!intent) throw noSuch('payment_intent', id, 'intent');
  return intent;
}
