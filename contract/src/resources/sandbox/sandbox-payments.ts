import { z } from 'zod';
import { defineRoute } from '../../http/route.js';
import { CURRENCIES } from '../../plans/catalogue.js';
import { ProviderId } from '../billing/payments.js';

/** Two years: longer than anything takes that is sold. */
const MAX_ADVANCE_SECONDS = 2 * 366 * 86_400;

/** A test card's number, spaces and dashes allowed. It is looked up and then forgotten. */
const CardNumber = z.string().min(1).max(40);

const ConfirmByCard = z
  .object({
    cardNumber: CardNumber,
    /** Where the page that some cards ask for leads back to; an address of the product's own. */
    returnUrl: z.string().max(2_000).optional(),
  })
  .meta({ id: 'SandboxConfirmByCard' });

/** What came of presenting a card. `redirectUrl` leads to the page on which its bank asks for a confirmation. */
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

/** Something that the sandbox tells the product about by webhook. */
export const SandboxEvent = z
  .object({
    id: z.string(),
    type: z.string(),
    subjectId: z.string(),
    /** In billing time. */
    createdAt: z.iso.datetime(),
    /** How often it has been posted, and when it was taken, in real time. */
    attempts: z.int(),
    deliveredAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'SandboxEvent' });
export type SandboxEvent = z.infer<typeof SandboxEvent>;

const CARD_ERRORS = ['payments.not_found', 'sandbox.real_card_refused'] as const;

/** The payment company of the sandbox. Only there while it is chosen; these rows need no token. */
export const sandboxPaymentRoutes = {
  confirmSetupIntent: defineRoute({
    method: 'POST',
    base: '/api/sandbox',
    path: '/payments/setup_intents/:intentId/confirm',
    tag: 'sandbox',
    summary: 'Present a test card that is to be kept; the id is the client secret’s part before `_secret_`',
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
    summary: 'Present a test card that is to pay once; the id is the client secret’s part before `_secret_`',
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
    summary: 'Agree to a plan in a wallet, as its payer',
    allow: 'public',
    body: z
      .object({
        planId: ProviderId,
        /** `{userId}-{suffix}` of whom it is for. */
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
    summary: 'Agree to a payment in a wallet, as its payer; the money moves when the product asks for it',
    allow: 'public',
    body: z
      .object({
        amountCents: z.int().positive().max(1_000_000_00),
        currency: z.enum(CURRENCIES),
        /** `{userId}-{suffix}` of whom it is for. */
        customId: ProviderId,
        payerEmail: z.email().max(254).optional(),
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
    summary: 'Move billing time forward; whatever falls due on the way happens in order, and is told about',
    allow: 'public',
    body: z
      .object({ advanceSeconds: z.int().nonnegative().max(MAX_ADVANCE_SECONDS) })
      .meta({ id: 'SandboxAdvanceClock' }),
    responses: { 200: z.object({ now: z.iso.datetime() }).meta({ id: 'SandboxClock' }) },
    errors: [],
  }),
  listEvents: defineRoute({
    method: 'GET',
    base: '/api/sandbox',
    path: '/webhooks',
    tag: 'sandbox',
    summary: 'What the company has told or is about to tell, newest first',
    allow: 'public',
    query: z.object({
      /** Of this subscription or payment only. */
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
    summary: 'Post an event to the product’s webhook again, as often as wanted, or one that is not genuine',
    allow: 'public',
    body: z
      .object({
        eventId: ProviderId,
        times: z.int().min(1).max(20).default(1),
        /** Changes the body after it was signed. */
        tamper: z.boolean().default(false),
        /** Signs it as if that had been so many seconds ago. */
        ageSeconds: z.int().nonnegative().max(86_400).default(0),
      })
      .meta({ id: 'SandboxReplayEvent' }),
    /** The statuses that the webhook answered with; 0 is no answer. */
    responses: { 200: z.object({ statuses: z.array(z.int()) }).meta({ id: 'SandboxReplay' }) },
    errors: ['sandbox.event_not_found'],
  }),
} as const;
