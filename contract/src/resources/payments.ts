import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { CURRENCIES } from '../plans/catalogue.js';
import { PAYMENT_PROVIDERS } from '../plans/may-buy.js';
import { EmailAddress } from './email.js';

/** A provider's id. Untrusted: the object is read from the provider. */
export const ProviderId = z.string().min(1).max(255);

/** Sent with a payment so that `api` applies the same flags as the page. */
export const OfferVersion = z
  .string()
  .max(200)
  .nullish()
  .describe('`version` of the page: `ip` forces the intro price, `ft` the free trial; other values are ignored.');

const ClientSecret = z
  .object({ clientSecret: z.string().describe('Secret with which the payment form continues.') })
  .meta({ id: 'ClientSecret' });
const CreditBalance = z
  .object({
    status: z.enum(['succeeded']).describe('The payment has succeeded.'),
    availableCredits: z.int().describe('Downloads that were bought and are left.'),
  })
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
    summary: 'Create a setup intent',
    description: 'Starts saving a payment method for a subscription.',
    allow: 'session',
    /** Account region of the keys; only `DK` exists (spec 1, section 9). */
    body: z
      .object({
        stripeAccount: z.enum(['DK']).default('DK').describe('Region of the provider’s account; only `DK` exists.'),
      })
      .meta({ id: 'CreateSetupIntent' }),
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
    summary: 'Create a payment intent',
    description: 'Starts the payment of a pack of downloads, or of the download of one photo.',
    allow: 'session',
    body: z
      .object({
        priceId: ProviderId.describe('The provider’s id of the price.'),
        clientTaskId: z.uuid().nullish().describe('Id of the task to unlock; absent or null for a pack.'),
        unlockedExports: z
          .int()
          .positive()
          .max(1000)
          .default(1)
          .describe('Downloads that the buyer expects; must be those of the pack.'),
        version: OfferVersion,
      })
      .meta({ id: 'CreatePaymentIntent' }),
    responses: {
      201: z
        .object({
          clientSecret: z.string().describe('Secret with which the payment form continues.'),
          paymentId: z.string().describe('The provider’s id of the payment.'),
        })
        .meta({ id: 'PaymentIntent' }),
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
    summary: 'Confirm a payment',
    description: 'Reads a payment from its provider and grants its downloads. Idempotent.',
    allow: 'session',
    params: z.object({ paymentId: ProviderId.describe('The provider’s id of the payment.') }),
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
    summary: 'Record a wallet’s charge',
    description: 'Reads a charge of the wallet, captures it and grants its downloads. Idempotent.',
    allow: 'session',
    body: z
      .object({
        chargeId: ProviderId.describe('The wallet’s id of the charge.'),
        amountCents: z.int().positive().describe('Amount in cents.'),
        currency: z.enum(CURRENCIES).describe('Currency of the amount.'),
        clientTaskId: z.uuid().nullish().describe('Id of the task to unlock; absent or null for a pack.'),
        paypalEmailAddress: EmailAddress.or(z.literal(''))
          .nullish()
          .describe('Address that the wallet reports; empty when it reports none.'),
        unlockedExports: z
          .int()
          .positive()
          .max(1000)
          .default(1)
          .describe('Downloads that the buyer expects; must be those of the pack.'),
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
    number: z.string().describe('Number of the receipt, as in the mail about the charge.'),
    chargedAt: z.iso.datetime().describe('When it was charged.'),
    item: z.string().describe('Id of the price in the catalogue; of an intro price that of its plan.'),
    amountCents: z.int().describe('Amount in cents.'),
    refundedCents: z
      .int()
      .describe(
        'Refunded cents of a single purchase; 0 for the period of a subscription, whose refunds are announced by mail.',
      ),
    currency: z.enum(CURRENCIES).describe('Currency of the amounts.'),
    provider: z.enum(PAYMENT_PROVIDERS).describe('Who charged it.'),
  })
  .meta({ id: 'Receipt' });
export type Receipt = z.infer<typeof Receipt>;

/** Newest first. */
export const ReceiptList = z
  .object({
    data: z.array(Receipt).describe('Receipts, newest first.'),
    hasMore: z.boolean().describe('There are older receipts: pass the last number as `starting_after`.'),
  })
  .meta({ id: 'ReceiptList' });
export type ReceiptList = z.infer<typeof ReceiptList>;

/** Receipts and invoices of the caller's charges, whichever provider took them. */
export const receiptRoutes = {
  listReceipts: defineRoute({
    method: 'GET',
    path: '/receipts',
    tag: 'billing',
    summary: 'List receipts',
    description: 'Returns the receipts of the caller’s charges, newest first.',
    allow: 'session',
    query: z.object({
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(100)
        .default(20)
        .describe('Most receipts of a page, 1 to 100. Default: 20.'),
      startingAfter: z.string().max(64).optional().describe('Number of a page’s last receipt, to get the next page.'),
    }),
    responses: { 200: ReceiptList },
    errors: [],
    limit: 'reads',
  }),
  downloadInvoice: defineRoute({
    method: 'GET',
    path: '/invoices/:number/pdf',
    tag: 'billing',
    summary: 'Download an invoice',
    description:
      'Returns the invoice of a charge as a PDF, in the language of the account. Its number is that of the receipt; seller and VAT are those of the day of the charge.',
    allow: 'session',
    params: z.object({ number: z.string().min(1).max(64).describe('Number of the receipt.') }),
    responses: { 200: null },
    file: ['application/pdf'],
    errors: ['payments.not_found'],
    // It takes as much of a processor as many reads.
    limit: 'writes',
  }),
} as const;
