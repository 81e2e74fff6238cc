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
    z.object({ kind: z.literal('redirect'), url: z.url() }),
    z.object({ kind: z.literal('elements'), clientSecret: z.string(), publishableKey: z.string() }),
    z.object({ kind: z.literal('paypal'), planId: z.string().nullable(), customId: z.string() }),
  ])
  .meta({ id: 'Checkout' });
export type Checkout = z.infer<typeof Checkout>;

/** Start of a purchase: the provider's page, or what its form needs (decisions, section 8). */
export const checkoutRoutes = {
  createCheckout: defineRoute({
    method: 'POST',
    path: '/checkouts',
    tag: 'billing',
    summary: 'Start a checkout: checks the purchase and returns how the payment continues',
    allow: 'session',
    body: z
      .object({
        priceId: ProviderId,
        provider: z.enum(PAYMENT_PROVIDERS).default('stripe'),
        /** The task to unlock; a guest can buy nothing else. */
        clientTaskId: z.uuid().nullish(),
        /**
         * Pack: downloads that the buyer expects; must be the pack's. Subscription: credits that the buyer agrees to
         * lose; must be the whole balance.
         */
        unlockedExports: z.int().nonnegative().max(1_000_000).nullish(),
        trial: z.boolean().default(false),
        introPriceId: ProviderId.nullish(),
        /** Replace the running subscription, else a 409. */
        upgrade: z.boolean().default(false),
        /** A guest's address for the receipt and link to the photo; ignored for accounts. */
        receiptEmail: EmailAddress.nullish(),
        version: OfferVersion,
        /** Asks for the provider's own payment page, which leads back to this path: the response is a `redirect`. */
        returnPath: ReturnPath.nullish(),
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
