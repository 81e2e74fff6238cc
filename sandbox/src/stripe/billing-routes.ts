import { z } from 'zod';
import { newId, newSecret, sha256 } from '../core/ids.js';
import type { Reader } from '../core/ledger.js';
import { page, route, type StripeRoute } from './api.js';
import { noSuch } from './errors.js';
import { voidInvoice } from './invoices.js';
import { emitInvoice, expire } from './lifecycle.js';
import { findObject, type InvoicePayment, listObjects, type PortalSession, saveObject } from './objects.js';
import { flag, integer, listParameters, metadata, parameters, text, webUrl } from './params.js';
import {
  cancelSubscription,
  createSubscription,
  payInvoice,
  requireSubscription,
  updateSubscription,
} from './subscriptions.js';

const PORTAL_SECONDS = 3_600;

const STATUSES = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'canceled',
  'unpaid',
  'paused',
] as const;

async function requireInvoice(reader: Reader, id: string) {
  const invoice = await findObject(reader, 'invoice', id);
  if (!invoice) throw noSuch('invoice', id, 'invoice');
  return invoice;
}

/** Subscriptions, their invoices and the portal. @param portalUrl hosted page, without a token */
export const billingRoutes = (portalUrl: string): readonly StripeRoute[] => [
  route(
    'POST /v1/subscriptions',
    parameters({
      customer: text,
      items: z
        .array(
          z.strictObject({
            price: text,
            quantity: integer(1).optional(),
            current_trial: z.strictObject({ trial_offer: text }).optional(),
          }),
        )
        .length(1),
      default_payment_method: text.optional(),
      payment_behavior: z.enum(['allow_incomplete', 'error_if_incomplete']).optional(),
      payment_settings: z.strictObject({ save_default_payment_method: z.enum(['on_subscription', 'off']) }).optional(),
      off_session: flag.optional(),
      trial_period_days: integer(1)
        .refine((days) => days <= 730, { error: 'parameter_invalid_integer' })
        .optional(),
      trial_settings: z
        .strictObject({
          end_behavior: z.strictObject({ missing_payment_method: z.enum(['cancel', 'create_invoice', 'pause']) }),
        })
        .optional(),
      metadata: metadata.optional(),
    }),
    (tx, given) => createSubscription(tx, { ...given, metadata: given.metadata ?? {} }),
  ),
  route('GET /v1/subscriptions/{id}', parameters({}), (tx, _given, id) => requireSubscription(tx, id)),
  route(
    'POST /v1/subscriptions/{id}',
    parameters({
      cancel_at_period_end: flag.optional(),
      default_payment_method: text.optional(),
      metadata: metadata.optional(),
    }),
    (tx, given, id) => updateSubscription(tx, id, given),
  ),
  route(
    'DELETE /v1/subscriptions/{id}',
    parameters({ prorate: flag.optional(), invoice_now: flag.optional() }),
    (tx, _given, id) => cancelSubscription(tx, id),
  ),
  route(
    'GET /v1/subscriptions',
    listParameters({ customer: text.optional(), status: z.enum([...STATUSES, 'all', 'ended']).optional() }),
    async (tx, given) => {
      const all = await listObjects(tx, 'subscription', { customer: given.customer });
      const isEnded = (status: string) => status === 'canceled' || status === 'incomplete_expired';
      const isListed = (status: string) => {
        if (given.status === 'all') return true;
        if (given.status === 'ended') return isEnded(status);
        return given.status ? given.status === status : !isEnded(status);
      };
      return page(
        '/v1/subscriptions',
        all.filter(({ status }) => isListed(status)),
        given,
      );
    },
  ),
  route('GET /v1/invoices/{id}', parameters({}), (tx, _given, id) => requireInvoice(tx, id)),
  route(
    'GET /v1/invoices',
    listParameters({
      customer: text.optional(),
      subscription: text.optional(),
      status: z.enum(['draft', 'open', 'paid', 'void', 'uncollectible']).optional(),
    }),
    async (tx, given) => {
      const invoices = await listObjects(tx, 'invoice', {
        customer: given.customer,
        'parent.subscription_details.subscription': given.subscription,
        status: given.status,
      });
      return page('/v1/invoices', invoices, given);
    },
  ),
  route('POST /v1/invoices/{id}/pay', parameters({ payment_method: text.optional() }), async (tx, given, id) =>
    payInvoice(tx, await requireInvoice(tx, id), given.payment_method),
  ),
  route('POST /v1/invoices/{id}/void', parameters({}), async (tx, _given, id) => {
    const invoice = await requireInvoice(tx, id);
    const subscription = await requireSubscription(tx, invoice.parent.subscription_details.subscription);
    if (subscription.status === 'incomplete' && invoice.status === 'open') await expire(tx, subscription);
    else {
      await voidInvoice(tx, invoice);
      await emitInvoice(tx, 'voided', invoice);
    }
    return requireInvoice(tx, id);
  }),
  route(
    'GET /v1/invoice_payments',
    listParameters({
      invoice: text.optional(),
      payment: z.strictObject({ type: z.literal('payment_intent'), payment_intent: text }).optional(),
      status: z.enum(['open', 'paid', 'canceled']).optional(),
    }),
    async (tx, given) => {
      const invoices = given.invoice
        ? [await requireInvoice(tx, given.invoice)]
        : await listObjects(tx, 'invoice', {
            'payments.data.0.payment.payment_intent': given.payment?.payment_intent,
          });
      const matches = ({ status }: InvoicePayment) => given.status === undefined || given.status === status;
      return page('/v1/invoice_payments', invoices.flatMap(({ payments }) => payments.data).filter(matches), given);
    },
  ),
  route(
    'POST /v1/billing_portal/sessions',
    parameters({ customer: text, return_url: webUrl.optional() }),
    async (tx, given) => {
      if (!(await findObject(tx, 'customer', given.customer)))
        throw noSuch('customer', given.customer, 'customer', 400);
      const token = newSecret();
      return saveObject<PortalSession>(tx, {
        id: newId('bps'),
        object: 'billing_portal.session',
        livemode: false,
        created: tx.now,
        customer: given.customer,
        return_url: given.return_url ?? null,
        url: `${portalUrl}/${token}`,
        _tokenHash: sha256(token),
        // Real time, because visitors open the page.
        _expiresAt: Math.floor(Date.now() / 1000) + PORTAL_SECONDS,
      });
    },
  ),
];
