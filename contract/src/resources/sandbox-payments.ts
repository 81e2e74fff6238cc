import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { CURRENCIES } from '../plans/catalogue.js';
import { EmailAddress } from './email.js';
import { ProviderId } from './payments.js';

/** Two years: longer than any period sold. */
const MAX_ADVANCE_SECONDS = 2 * 366 * 86_400;

/** Spaces and dashes allowed. Never stored. */
const CardNumber = z.string().min(1).max(40);

const ConfirmByCard = z
  .object({
    cardNumber: CardNumber,
    /** For 3-D Secure; must be on the product's origin. */
    returnUrl: z.string().max(2_000).optional(),
  })
  .meta({ id: 'SandboxConfirmByCard' });

/** `redirectUrl` is the bank's confirmation page. */
export const SandboxConfirmation = z
  .object({
    status: z.enum(['succeeded', 'failed', 'requires_action']),
    paymentMethodId: z.string().optional(),
    redirectUrl: z.url().optional(),
    /** `card_declined`, `insufficient_funds`, `authentication_failed` or `intent_canceled`. */
    errorCode: z.string().optional(),
  })
  .meta({ id: 'SandboxConfirmation' });
export type SandboxConfirmation = z.infer<typeof SandboxConfirmation>;

/** A webhook event of the sandbox's providers. */
export const SandboxEvent = z
  .object({
    id: z.string(),
    type: z.string(),
    subjectId: z.string(),
    /** In billing time. */
    createdAt: z.iso.datetime(),
    attempts: z.int(),
    /** In real time. */
    deliveredAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'SandboxEvent' });
export type SandboxEvent = z.infer<typeof SandboxEvent>;

const CARD_ERRORS = ['payments.not_found', 'sandbox.real_card_refused'] as const;

/** Available while the sandbox payment provider is configured; no token required. */
export const sandboxPaymentRoutes = {
  confirmSetupIntent: defineRoute({
    method: 'POST',
    base: '/api/sandbox',
    path: '/payments/setup_intents/:intentId/confirm',
    tag: 'sandbox',
    summary: 'Save a test card; the id is the part of the client secret before `_secret_`',
    allow: 'public',
    params: z.object({ intentId: ProviderId }),
    body: ConfirmByCard,
    responses: { 200: SandboxConfirmation },
    errors: CARD_ERRORS,
  }),
  confirmPaymentIntent: defineRoute({
    method: 'POST',
    base: '/api/sandbox',
    path: '/payments/payment_intents/:intentId/confirm',
    tag: 'sandbox',
    summary: 'Pay with a test card; the id is the part of the client secret before `_secret_`',
    allow: 'public',
    params: z.object({ intentId: ProviderId }),
    body: ConfirmByCard,
    responses: { 200: SandboxConfirmation },
    errors: CARD_ERRORS,
  }),
  subscribeByWallet: defineRoute({
    method: 'POST',
    base: '/api/sandbox',
    path: '/payments/wallet/subscriptions',
    tag: 'sandbox',
    summary: 'Approve a subscription as the payer of a wallet',
    allow: 'public',
    body: z
      .object({
        planId: ProviderId,
        /** `{userId}-{suffix}` of the buyer. */
        customId: ProviderId,
      })
      .meta({ id: 'SandboxSubscribeByWallet' }),
    responses: { 201: z.object({ subscriptionId: z.string() }).meta({ id: 'SandboxWalletSubscription' }) },
    errors: ['prices.not_found'],
  }),
  chargeWallet: defineRoute({
    method: 'POST',
    base: '/api/sandbox',
    path: '/payments/wallet/charges',
    tag: 'sandbox',
    summary: 'Approve a payment as the payer of a wallet; it is captured by the product',
    allow: 'public',
    body: z
      .object({
        amountCents: z.int().positive().max(1_000_000_00),
        currency: z.enum(CURRENCIES),
        /** `{userId}-{suffix}` of the buyer. */
        customId: ProviderId,
        payerEmail: EmailAddress.optional(),
      })
      .meta({ id: 'SandboxChargeWallet' }),
    responses: { 201: z.object({ chargeId: z.string() }).meta({ id: 'SandboxWalletCharge' }) },
    errors: [],
  }),
  advanceClock: defineRoute({
    method: 'POST',
    base: '/api/sandbox',
    path: '/clock',
    tag: 'sandbox',
    summary:
      'Advance billing time; answers at once with the new time, or with `wait` when everything that falls due has happened, in order, and was reported by webhook',
    allow: 'public',
    body: z
      .object({ advanceSeconds: z.int().nonnegative().max(MAX_ADVANCE_SECONDS), wait: z.boolean().default(false) })
      .meta({ id: 'SandboxAdvanceClock' }),
    responses: { 200: z.object({ now: z.iso.datetime() }).meta({ id: 'SandboxClock' }) },
    errors: [],
  }),
  listEvents: defineRoute({
    method: 'GET',
    base: '/api/sandbox',
    path: '/webhooks',
    tag: 'sandbox',
    summary: 'List webhook events, newest first',
    allow: 'public',
    query: z.object({
      subjectId: ProviderId.optional(),
      limit: z.coerce.number().int().min(1).max(100).default(20),
      startingAfter: ProviderId.optional(),
    }),
    responses: {
      200: z.object({ data: z.array(SandboxEvent), hasMore: z.boolean() }).meta({ id: 'SandboxEvents' }),
    },
    errors: [],
  }),
  replayEvent: defineRoute({
    method: 'POST',
    base: '/api/sandbox',
    path: '/webhooks',
    tag: 'sandbox',
    summary: 'Deliver an event again, several times, or with an invalid signature',
    allow: 'public',
    body: z
      .object({
        eventId: ProviderId,
        times: z.int().min(1).max(20).default(1),
        /** Change the body after signing. */
        tamper: z.boolean().default(false),
        /** Age of the signature in seconds. */
        ageSeconds: z.int().nonnegative().max(86_400).default(0),
      })
      .meta({ id: 'SandboxReplayEvent' }),
    /** HTTP statuses of the webhook; 0: no response. */
    responses: { 200: z.object({ statuses: z.array(z.int()) }).meta({ id: 'SandboxReplay' }) },
    errors: ['sandbox.event_not_found'],
  }),
} as const;
