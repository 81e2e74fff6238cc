import { z } from 'zod';
import type { Transaction } from '../core/ledger.js';
import { invalidRequest, noSuch } from './errors.js';
import { findObject, type Price } from './objects.js';
import { flag, integer, metadata, parameters, text, webUrl } from './params.js';
import { METHOD_TYPES } from './payment-routes.js';
import { findPrice } from './prices.js';
import { route, type StripeRoute } from './routes.js';
import { createSession, expireSession, SESSION_ID } from './sessions.js';

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
