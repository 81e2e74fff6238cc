import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { CURRENCIES } from '../plans/catalogue.js';
import { PAYMENT_PROVIDERS } from '../plans/may-buy.js';
import { EmailAddress } from './email.js';

/** A provider's id. Untrusted: the object is read from the provider. */
export const ProviderId = z.string().min(1).max(255);

/**
 * `version` of the page: `ip` forces the intro price, `ft` the free trial, other values are ignored. Sent with a
 * payment so that `api` applies the same flags as the page.
 */
export const OfferVersion = z.string().max(200).nullish();

const ClientSecret = z.object({ clientSecret: z.string() }).meta({ id: 'ClientSecret' });
const CreditBalance = z
  .object({ status: z.enum(['succeeded']), availableCredits: z.int() })
  .meta({ id: 'CreditBalance' });
export type CreditBalance = z.infer<typeof CreditBalance>;

/** Errors of every route that takes a payment. */
export const PAYMENT_ERRORS = [
  'billing.country_blocked',
  'billing.not_offered',
  'billing.login_required',
  'captcha.failed',
  'service.not_configured',
] as const;

/** Cards and purchases of downloads. */
export const paymentRoutes = {
  createSetupIntent: defineRoute({
    method: 'POST',
    path: '/stripe/intents',
    tag: 'billing',
    summary: 'Create a setup intent, which saves a payment method for a subscription',
    allow: 'session',
    /** Account region of the keys; only `DK` exists (spec 1, section 9). */
    body: z.object({ stripeAccount: z.enum(['DK']).default('DK') }).meta({ id: 'CreateSetupIntent' }),
    responses: { 201: ClientSecret },
    errors: PAYMENT_ERRORS,
    limit: 'writes',
    idempotent: true,
    takesMoney: true,
    captcha: 'token',
  }),
  createPaymentIntent: defineRoute({
    method: 'POST',
    path: '/stripe/payment_intents',
    tag: 'billing',
    summary: 'Create a payment intent for a pack of downloads, or for the download of one photo',
    allow: 'session',
    body: z
      .object({
        priceId: ProviderId,
        clientTaskId: z.uuid().nullish(),
        /** Expected downloads; must be the pack's. */
        unlockedExports: z.int().positive().max(1000).default(1),
        version: OfferVersion,
      })
      .meta({ id: 'CreatePaymentIntent' }),
    responses: {
      201: z.object({ clientSecret: z.string(), paymentId: z.string() }).meta({ id: 'PaymentIntent' }),
    },
    errors: [
      ...PAYMENT_ERRORS,
      'prices.not_found',
      'prices.not_for_sale',
      'billing.exports_mismatch',
      'tasks.not_found',
      'tasks.wrong_state',
      'exports.already_unlocked',
      'exports.untouched',
      'exports.test_picture',
    ],
    limit: 'writes',
    idempotent: true,
    takesMoney: true,
    captcha: 'token',
  }),
  confirmPayment: defineRoute({
    method: 'PUT',
    path: '/stripe/payment_intents/:paymentId',
    tag: 'billing',
    summary: 'Read a payment from its provider and grant its downloads; idempotent',
    allow: 'session',
    params: z.object({ paymentId: ProviderId }),
    responses: { 200: CreditBalance },
    errors: [
      'payments.not_found',
      'payments.not_paid',
      'payments.mismatch',
      'payments.duplicate',
      'service.not_configured',
    ],
    limit: 'writes',
  }),
  recordCharge: defineRoute({
    method: 'POST',
    path: '/paypal/charges',
    tag: 'billing',
    summary: 'Read a wallet’s charge, capture it and grant its downloads; idempotent',
    allow: 'session',
    body: z
      .object({
        chargeId: ProviderId,
        amountCents: z.int().positive(),
        currency: z.enum(CURRENCIES),
        clientTaskId: z.uuid().nullish(),
        /** Empty when the wallet reports none. */
        paypalEmailAddress: EmailAddress.or(z.literal('')).nullish(),
        unlockedExports: z.int().positive().max(1000).default(1),
        version: OfferVersion,
      })
      .meta({ id: 'RecordCharge' }),
    responses: { 201: CreditBalance },
    errors: [
      ...PAYMENT_ERRORS,
      'payments.not_found',
      'payments.not_paid',
      'payments.mismatch',
      'payments.duplicate',
      'billing.exports_mismatch',
      'tasks.not_found',
      'tasks.wrong_state',
      'exports.already_unlocked',
      'exports.untouched',
      'exports.test_picture',
    ],
    limit: 'writes',
    idempotent: true,
    takesMoney: true,
    captcha: 'return',
  }),
} as const;

/** A charge: of a pack or photo, or of a subscription's period. */
export const Receipt = z
  .object({
    /** As in the mail about the charge. */
    number: z.string(),
    chargedAt: z.iso.datetime(),
    /** Id of the price in the catalogue, see `priceOf`; an intro price's plan. */
    item: z.string(),
    amountCents: z.int(),
    /** Of a single purchase; 0 for the period of a subscription, whose refunds are announced by mail. */
    refundedCents: z.int(),
    currency: z.enum(CURRENCIES),
    provider: z.enum(PAYMENT_PROVIDERS),
  })
  .meta({ id: 'Receipt' });
export type Receipt = z.infer<typeof Receipt>;

/** Newest first. */
export const ReceiptList = z.object({ data: z.array(Receipt), hasMore: z.boolean() }).meta({ id: 'ReceiptList' });
export type ReceiptList = z.infer<typeof ReceiptList>;

/** Receipts of the caller's charges, whichever provider took them. */
export const receiptRoutes = {
  listReceipts: defineRoute({
    method: 'GET',
    path: '/receipts',
    tag: 'billing',
    summary: "List the receipts of the caller's charges, newest first",
    allow: 'session',
    query: z.object({
      limit: z.coerce.number().int().min(1).max(100).default(20),
      /** Number of a page's last receipt, to get the next page. */
      startingAfter: z.string().max(64).optional(),
    }),
    responses: { 200: ReceiptList },
    errors: [],
    limit: 'reads',
  }),
} as const;
