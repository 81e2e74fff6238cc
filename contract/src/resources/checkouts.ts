import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { PAYMENT_PROVIDERS } from '../plans/may-buy.js';
import { EmailAddress } from './email.js';
import { OfferVersion, PAYMENT_ERRORS, ProviderId } from './payments.js';

/** The page that finishes a payment. Providers append their parameters. */
const ReturnPath = z
  .string()
  .max(2_000)
  .regex(/^\/checkout\/return(?:\?[^#\\\s\p{Cc}]*)?$/u);

/**
 * How a payment continues: `redirect` to an address, `elements` in the card provider's form, `paypal` with the wallet's
 * approval, which must carry `customId`. `planId` is null for a one-time purchase.
 */
export const Checkout = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('redirect').describe('The payment continues on a page of the provider.'),
      url: z.url().describe('Address of the page.'),
    }),
    z.object({
      kind: z.literal('elements').describe('The payment continues in the card provider’s form.'),
      clientSecret: z.string().describe('Secret with which the form continues.'),
      publishableKey: z.string().describe('Publishable key of the provider.'),
    }),
    z.object({
      kind: z.literal('paypal').describe('The payment continues with the wallet’s approval.'),
      planId: z.string().nullable().describe('The wallet’s plan; null for a one-time purchase.'),
      customId: z.string().describe('The `custom_id` that the approval must carry.'),
    }),
  ])
  .meta({ id: 'Checkout' });
export type Checkout = z.infer<typeof Checkout>;

/** Start of a purchase: the provider's page, or what its form needs (decisions, section 8). */
export const checkoutRoutes = {
  createCheckout: defineRoute({
    method: 'POST',
    path: '/checkouts',
    tag: 'billing',
    summary: 'Start a checkout',
    description: 'Checks the purchase and returns how the payment continues.',
    allow: 'session',
    body: z
      .object({
        priceId: ProviderId.describe('The provider’s id of the price.'),
        provider: z.enum(PAYMENT_PROVIDERS).default('stripe').describe('Who takes the payment.'),
        clientTaskId: z.uuid().nullish().describe('Id of the task to unlock; a guest can buy nothing else.'),
        unlockedExports: z
          .int()
          .nonnegative()
          .max(1_000_000)
          .nullish()
          .describe(
            'Of a pack: downloads that the buyer expects; must be those of the pack. Of a subscription: downloads that the buyer agrees to lose; must be the whole balance.',
          ),
        trial: z.boolean().default(false).describe('Start with a free trial.'),
        introPriceId: ProviderId.nullish().describe('The provider’s id of the price of the first week.'),
        upgrade: z.boolean().default(false).describe('Replace the running subscription; else it is a conflict.'),
        receiptEmail: EmailAddress.nullish().describe(
          'Address of a guest for the receipt and a link to the photo; ignored for accounts.',
        ),
        version: OfferVersion,
        returnPath: ReturnPath.nullish().describe(
          'Asks for the provider’s own payment page, which leads back to this path: the response is a `redirect`.',
        ),
      })
      .meta({ id: 'CreateCheckout' }),
    responses: { 201: Checkout },
    errors: [
      ...PAYMENT_ERRORS,
      'prices.not_found',
      'prices.not_for_sale',
      'billing.exports_mismatch',
      'billing.forfeit_unconfirmed',
      'billing.trial_unavailable',
      'billing.intro_unavailable',
      'subscriptions.exists',
      'subscriptions.not_found',
      'subscriptions.not_upgradable',
      'subscriptions.managed_elsewhere',
      'tasks.not_found',
      'tasks.wrong_state',
      'exports.already_unlocked',
      'exports.untouched',
      'exports.test_picture',
    ],
    limit: 'writes',
    idempotent: true,
    takesMoney: true,
    captcha: 'page',
  }),
} as const;
