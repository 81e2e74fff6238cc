import { z } from 'zod';
import { patternOf } from '../core/http-api.js';
import type { Transaction } from '../core/ledger.js';
import { notFound } from './errors.js';
import { isSigned, listEvents } from './events.js';
import { findStored, listStored, secondsOf } from './objects.js';
import { captureOrder, createOrder, refundCapture } from './orders.js';
import { findPlan, PLANS } from './plans.js';
import { cancelSubscription, createSubscription } from './subscriptions.js';

interface PayPalRequest<Query, Body> {
  readonly id: string;
  readonly query: Query;
  readonly body: Body;
  readonly text: string;
}

export interface PayPalRoute {
  /** `POST /v1/billing/subscriptions/{id}/cancel`. */
  readonly operation: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly query: z.ZodType;
  /** Null for a request without a body. */
  readonly body: z.ZodType | null;
  readonly status: number;
  handle(tx: Transaction, request: PayPalRequest<unknown, unknown>): Promise<unknown>;
}

/** @param operation for instance `GET /v1/billing/plans/{id}` */
function route<Query extends z.ZodType, Body extends z.ZodType>(
  operation: string,
  { query, body, status = 200 }: { query?: Query; body?: Body; status?: number },
  handle: (tx: Transaction, request: PayPalRequest<z.output<Query>, z.output<Body>>) => Promise<unknown>,
): PayPalRoute {
  return {
    operation,
    ...patternOf(operation),
    query: query ?? z.strictObject({}),
    body: body ?? null,
    status,
    handle: (tx, request) => handle(tx, request as PayPalRequest<z.output<Query>, z.output<Body>>),
  };
}

const time = z.iso.datetime({ offset: true });
const pageSize = (max: number) => z.coerce.number().int().min(1).max(max).default(10);

const money = z.strictObject({
  currency_code: z.string().regex(/^[A-Z]{3}$/),
  value: z.string().regex(/^\d{1,9}(\.\d{2})?$/),
});

const refund = z.strictObject({
  amount: money.optional(),
  custom_id: z.string().min(1).max(127).optional(),
  invoice_id: z.string().min(1).max(127).optional(),
  note_to_payer: z.string().min(1).max(255).optional(),
});

const approvalContext = {
  return_url: z.url().max(4_000),
  cancel_url: z.url().max(4_000),
  brand_name: z.string().min(1).max(127).optional(),
  shipping_preference: z.enum(['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS']).optional(),
};

const customId = z.string().min(1).max(127);

const newSubscription = z.strictObject({
  plan_id: z.string().min(3).max(50),
  custom_id: customId,
  application_context: z.strictObject({
    ...approvalContext,
    user_action: z.enum(['CONTINUE', 'SUBSCRIBE_NOW']).optional(),
  }),
});

const newOrder = z.strictObject({
  intent: z.literal('CAPTURE'),
  purchase_units: z.array(z.strictObject({ custom_id: customId, amount: money })).length(1),
  payment_source: z.strictObject({
    paypal: z.strictObject({
      experience_context: z.strictObject({
        ...approvalContext,
        user_action: z.enum(['CONTINUE', 'PAY_NOW']).optional(),
      }),
    }),
  }),
});

interface PayPalSettings {
  readonly webhookSecret: string;
  readonly merchantId: string;
  /** Hosted pages, without a query. */
  readonly subscriptionPage: string;
  readonly orderPage: string;
}

const verification = z.strictObject({
  auth_algo: z.literal('SHA256withRSA'),
  cert_url: z.url().max(500),
  transmission_id: z
    .string()
    .max(50)
    .regex(/^(?!\d+$)\w+\S+/),
  transmission_sig: z
    .string()
    .max(500)
    .regex(/^(?!\d+$)\w+\S+/),
  transmission_time: time,
  webhook_id: z
    .string()
    .max(50)
    .regex(/^[a-zA-Z0-9]+$/),
  webhook_event: z.record(z.string(), z.unknown()),
});

/** The bytes of `webhook_event`, its last property. */
const eventIn = (text: string): string => /"webhook_event"\s*:\s*([\s\S]*)\}\s*$/.exec(text)?.[1] ?? '';

async function found<Result>(finding: Promise<Result | null>): Promise<Result> {
  const result = await finding;
  if (result === null) throw notFound();
  return result;
}

export const paypalRoutes = ({
  webhookSecret,
  merchantId,
  subscriptionPage,
  orderPage,
}: PayPalSettings): readonly PayPalRoute[] => [
  route(
    'GET /v1/billing/plans',
    {
      query: z.strictObject({
        plan_ids: z.string().min(3).max(270).optional(),
        page_size: pageSize(20),
        page: z.coerce.number().int().min(1).default(1),
      }),
    },
    async (_tx, { query: { plan_ids: ids, page_size: size, page } }) => {
      const wanted = ids?.split(',');
      const plans = PLANS.filter(({ id }) => !wanted || wanted.includes(id));
      return { plans: plans.slice((page - 1) * size, page * size), links: [] };
    },
  ),
  route('GET /v1/billing/plans/{id}', {}, async (_tx, { id }) => found(Promise.resolve(findPlan(id) ?? null))),
  route('POST /v1/billing/subscriptions', { body: newSubscription, status: 201 }, async (tx, { body }) => {
    const plan = findPlan(body.plan_id);
    if (!plan) throw notFound();
    const { return_url: returnUrl, cancel_url: cancelUrl } = body.application_context;
    return createSubscription(tx, plan, body.custom_id, { returnUrl, cancelUrl, pageUrl: subscriptionPage });
  }),
  route('GET /v1/billing/subscriptions/{id}', {}, (tx, { id }) => found(findStored(tx, 'subscription', id))),
  route(
    'POST /v1/billing/subscriptions/{id}/cancel',
    { body: z.strictObject({ reason: z.string().min(1).max(128) }), status: 204 },
    (tx, { id }) => cancelSubscription(tx, id),
  ),
  route(
    'GET /v1/billing/subscriptions/{id}/transactions',
    { query: z.strictObject({ start_time: time, end_time: time }) },
    async (tx, { id, query }) => {
      const { subscriber } = await found(findStored(tx, 'subscription', id));
      const [from, to] = [secondsOf(query.start_time), secondsOf(query.end_time)];
      const captures = await listStored(tx, 'capture', { _subject: id });
      const transactions = captures
        .filter(({ _createdAt: at }) => at >= from && at <= to)
        .map(({ id: transactionId, status, amount, create_time: at }) => ({
          id: transactionId,
          status,
          amount_with_breakdown: { gross_amount: amount },
          payer_email: subscriber.email_address,
          time: at,
        }));
      return { transactions, links: [] };
    },
  ),
  route('POST /v2/checkout/orders', { body: newOrder, status: 201 }, (tx, { body }) => {
    const { return_url: returnUrl, cancel_url: cancelUrl } = body.payment_source.paypal.experience_context;
    const [unit] = body.purchase_units;
    const order = {
      amountCents: Math.round(Number(unit?.amount.value) * 100),
      currency: unit?.amount.currency_code ?? '',
      customId: unit?.custom_id ?? '',
    };
    return createOrder(tx, merchantId, order, { returnUrl, cancelUrl, pageUrl: orderPage });
  }),
  route('GET /v2/checkout/orders/{id}', {}, (tx, { id }) => found(findStored(tx, 'order', id))),
  route('POST /v2/checkout/orders/{id}/capture', { body: z.strictObject({}), status: 201 }, (tx, { id }) =>
    captureOrder(tx, id),
  ),
  route('GET /v2/payments/captures/{id}', {}, (tx, { id }) => found(findStored(tx, 'capture', id))),
  route('POST /v2/payments/captures/{id}/refund', { body: refund, status: 201 }, async (tx, { id, body }) => {
    const capture = await found(findStored(tx, 'capture', id));
    return refundCapture(tx, capture, {
      amountCents: body.amount ? Math.round(Number(body.amount.value) * 100) : null,
      ...(body.amount && { currency: body.amount.currency_code }),
      customId: body.custom_id,
    });
  }),
  route('POST /v1/notifications/verify-webhook-signature', { body: verification }, async (_tx, { body, text }) => {
    const { transmission_id: id, transmission_time: at, webhook_id: webhookId, transmission_sig: signature } = body;
    const isAuthentic = isSigned(webhookSecret, { id, time: at, webhookId }, eventIn(text), signature);
    return { verification_status: isAuthentic ? 'SUCCESS' : 'FAILURE' };
  }),
  route(
    'GET /v1/notifications/webhooks-events',
    {
      query: z.strictObject({
        page_size: pageSize(300),
        start_time: time.optional(),
        end_time: time.optional(),
        transaction_id: z.string().optional(),
        event_type: z.string().optional(),
        // Parameter of a `next` link.
        after: z.string().optional(),
      }),
    },
    (tx, { query }) => listEvents(tx, query),
  ),
];
