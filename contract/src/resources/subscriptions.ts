import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { CURRENCIES } from '../plans/catalogue.js';
import { EmailAddress } from './email.js';
import { OfferVersion, PAYMENT_ERRORS, ProviderId } from './payments.js';

/** Stripe's statuses; PayPal's are mapped to them. */
const SUBSCRIPTION_STATUSES = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'paused',
  'unpaid',
  'canceled',
] as const;
/** One of {@link SUBSCRIPTION_STATUSES}. */
export const SubscriptionStatus = z.enum(SUBSCRIPTION_STATUSES);
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>;

/** `mobile`: bought in the mobile app and managed there. */
const SUBSCRIPTION_PROVIDERS = ['stripe', 'paypal', 'mobile'] as const;
export type SubscriptionProvider = (typeof SUBSCRIPTION_PROVIDERS)[number];

/** Response to a new subscription; `incomplete` if the first charge failed. */
export const SubscriptionStarted = z
  .object({
    status: SubscriptionStatus.describe('State of the subscription; `incomplete` if the first charge failed.'),
    subscriptionId: z.string().describe('The provider’s id of the subscription.'),
  })
  .meta({ id: 'SubscriptionStarted' });
export type SubscriptionStarted = z.infer<typeof SubscriptionStarted>;

/** The running or last subscription, as its provider reports it. Times in ISO 8601. */
export const SubscriptionInfo = z
  .object({
    subscriptionId: z.string().describe('The provider’s id of the subscription.'),
    status: SubscriptionStatus.describe('State of the subscription.'),
    priceId: z.string().nullable().describe('The provider’s id of the price; null where it is unknown.'),
    hasBeenCanceled: z.boolean().describe('The subscription ends with its period.'),
    cancellationDate: z.iso.datetime().nullable().describe('When a cancelled subscription ends; else null.'),
    currentPeriodEnd: z.iso.datetime().nullable().describe('End of the paid period; null where there is none.'),
    trialEnd: z.iso.datetime().nullable().describe('End of the free trial; null without one.'),
    portalSessionUrl: z.url().nullable().describe('The provider’s page to manage the subscription; null without one.'),
  })
  .meta({ id: 'SubscriptionInfo' });
export type SubscriptionInfo = z.infer<typeof SubscriptionInfo>;

/** Open subscriptions; the one that grants the plan comes first. */
export const OpenSubscriptions = z
  .object({
    data: z
      .array(SubscriptionInfo.extend({ provider: z.enum(['stripe', 'paypal']).describe('Who charges it.') }))
      .describe('Open subscriptions; the one that grants the plan comes first.'),
    hasMore: z.literal(false).describe('The list is whole.'),
  })
  .meta({ id: 'OpenSubscriptions' });
export type OpenSubscriptions = z.infer<typeof OpenSubscriptions>;

/** Subscriptions by card, running ones included, newest first; `endedAt` is null while one runs. */
export const PastSubscriptions = z
  .object({
    subscriptions: z
      .array(
        z.object({
          subscriptionId: z.string().describe('The provider’s id of the subscription.'),
          status: SubscriptionStatus.describe('State of the subscription.'),
          priceId: z.string().nullable().describe('The provider’s id of the price; null where it is unknown.'),
          createdAt: z.iso.datetime().describe('When it started.'),
          endedAt: z.iso.datetime().nullable().describe('When it ended; null while it runs.'),
        }),
      )
      .describe('Subscriptions by card, running ones included, newest first.'),
    hasMore: z.boolean().describe('There are older subscriptions: pass the last id as `starting_after`.'),
  })
  .meta({ id: 'PastSubscriptions' });
export type PastSubscriptions = z.infer<typeof PastSubscriptions>;

const SubscriptionProviderParams = z.object({
  provider: z
    .enum(SUBSCRIPTION_PROVIDERS)
    .describe('Who charges the subscription; `mobile`: bought in the mobile app and managed there.'),
});

/** Absent: the one that grants the plan. */
const SubscriptionQuery = z.object({
  subscriptionId: ProviderId.optional().describe(
    'The provider’s id of the subscription. Default: the one that grants the plan.',
  ),
});

const SUBSCRIBE_ERRORS = [
  ...PAYMENT_ERRORS,
  'prices.not_found',
  'prices.not_for_sale',
  'billing.forfeit_unconfirmed',
  'billing.trial_unavailable',
  'billing.intro_unavailable',
  'subscriptions.exists',
  'subscriptions.managed_elsewhere',
  'payments.method_not_usable',
  'payments.declined',
] as const;

const CHANGE_ERRORS = ['subscriptions.not_found', 'subscriptions.managed_elsewhere', 'service.not_configured'] as const;

/** Starting, reading, cancelling and resuming subscriptions. */
export const subscriptionRoutes = {
  subscribeByCard: defineRoute({
    method: 'POST',
    path: '/stripe/subscriptions',
    tag: 'billing',
    summary: 'Subscribe by card',
    description:
      'Starts a subscription with a saved payment method. Repeated calls for the same price return the same subscription.',
    allow: 'session',
    body: z
      .object({
        paymentMethodId: ProviderId.describe(
          'The payment method, or the setup intent that saved it (`setup_intent` in the return address).',
        ),
        priceId: ProviderId.describe('The provider’s id of the price.'),
        trial: z.boolean().default(false).describe('Start with a free trial.'),
        unlockedExports: z
          .int()
          .nonnegative()
          .default(0)
          .describe('Downloads that the buyer agrees to lose; must be the whole balance.'),
        introPriceId: ProviderId.nullish().describe('The provider’s id of the price of the first week.'),
        version: OfferVersion,
      })
      .meta({ id: 'SubscribeByCard' }),
    responses: { 201: SubscriptionStarted },
    errors: SUBSCRIBE_ERRORS,
    limit: 'writes',
    idempotent: true,
    takesMoney: true,
    captcha: 'return',
  }),
  subscribeByWallet: defineRoute({
    method: 'POST',
    path: '/paypal/subscriptions',
    tag: 'billing',
    summary: 'Subscribe by wallet',
    description: 'Confirms a subscription that was approved in the wallet.',
    allow: 'session',
    body: z
      .object({
        subscriptionId: ProviderId.describe('The wallet’s id of the subscription.'),
        unlockedExports: z
          .int()
          .nonnegative()
          .default(0)
          .describe('Downloads that the buyer agrees to lose; must be the whole balance.'),
        version: OfferVersion,
      })
      .meta({ id: 'SubscribeByWallet' }),
    responses: { 201: SubscriptionStarted },
    errors: [...SUBSCRIBE_ERRORS, 'subscriptions.not_found'],
    limit: 'writes',
    idempotent: true,
    takesMoney: true,
    captcha: 'return',
  }),
  listPastSubscriptions: defineRoute({
    method: 'GET',
    path: '/stripe/past-subscriptions',
    tag: 'billing',
    summary: 'List subscriptions by card',
    description: 'Returns subscriptions by card, newest first.',
    allow: 'session',
    query: z.object({
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(100)
        .default(20)
        .describe('Most subscriptions of a page, 1 to 100. Default: 20.'),
      startingAfter: ProviderId.optional().describe('Id of a page’s last subscription, to get the next page.'),
    }),
    responses: { 200: PastSubscriptions },
    errors: ['subscriptions.not_found', 'service.not_configured'],
    limit: 'reads',
  }),
  cancelByEmail: defineRoute({
    method: 'DELETE',
    path: '/:provider/subscriptions/email',
    tag: 'billing',
    summary: 'Cancel by a mailed code',
    description: 'Cancels a subscription with a mailed code, without a login.',
    allow: 'public',
    params: SubscriptionProviderParams,
    body: z
      .object({ cancellationCode: z.string().min(1).max(200).describe('The code that was mailed.') })
      .meta({ id: 'CancelByEmail' }),
    responses: { 200: SubscriptionInfo },
    errors: ['billing.code_invalid', 'subscriptions.managed_elsewhere', 'service.not_configured'],
    limit: 'logins',
  }),
  restartSubscription: defineRoute({
    method: 'POST',
    path: '/:provider/subscriptions/restart',
    tag: 'billing',
    summary: 'Restart a subscription',
    description: 'Restarts a cancelled subscription before its end.',
    allow: 'session',
    params: SubscriptionProviderParams,
    query: SubscriptionQuery,
    responses: { 200: SubscriptionInfo },
    errors: [...CHANGE_ERRORS, 'subscriptions.not_restartable'],
    limit: 'writes',
    idempotent: true,
  }),
  listOpenSubscriptions: defineRoute({
    method: 'GET',
    path: '/subscriptions',
    tag: 'billing',
    summary: 'List open subscriptions',
    description: 'Returns subscriptions that run or may still be charged, of every provider but the mobile app.',
    allow: 'session',
    responses: { 200: OpenSubscriptions },
    errors: [],
    limit: 'reads',
  }),
  getSubscription: defineRoute({
    method: 'GET',
    path: '/:provider/subscriptions',
    tag: 'billing',
    summary: 'Get a subscription',
    description: 'Returns the running or last subscription, as its provider reports it.',
    allow: 'session',
    params: SubscriptionProviderParams,
    query: SubscriptionQuery,
    responses: { 200: SubscriptionInfo },
    errors: CHANGE_ERRORS,
    limit: 'reads',
  }),
  cancelSubscription: defineRoute({
    method: 'DELETE',
    path: '/:provider/subscriptions',
    tag: 'billing',
    summary: 'Cancel a subscription',
    description: 'Cancels at the end of the paid period. Idempotent.',
    allow: 'session',
    params: SubscriptionProviderParams,
    query: SubscriptionQuery,
    responses: { 200: SubscriptionInfo },
    errors: CHANGE_ERRORS,
    limit: 'writes',
  }),
  createPortalSession: defineRoute({
    method: 'POST',
    path: '/stripe/portals-migration',
    tag: 'billing',
    summary: 'Open the portal by a mailed code',
    description: 'Exchanges a mailed code for a portal session of the card provider, without a login.',
    allow: 'public',
    body: z
      .object({
        cancellationCode: z.string().min(1).max(200).describe('The code that was mailed.'),
        customerId: ProviderId.nullish().describe('The provider’s id of the customer.'),
      })
      .meta({ id: 'MigratePortal' }),
    responses: {
      200: z
        .object({ portalSessionUrl: z.url().describe('The provider’s page to manage the subscription.') })
        .meta({ id: 'PortalSession' }),
    },
    errors: ['billing.code_invalid', 'service.not_configured'],
    limit: 'logins',
  }),
  mailSubscriptionCode: defineRoute({
    method: 'POST',
    path: '/subscription-codes',
    tag: 'billing',
    summary: 'Mail a subscription code',
    description:
      'Mails a code with which a subscription can be cancelled or its portal opened. The response is the same for any address.',
    allow: 'public',
    body: z
      .object({
        email: EmailAddress.describe('Address of the subscriber.'),
        purpose: z.enum(['cancel', 'portal']).describe('Cancel a subscription, or open its portal.'),
      })
      .meta({ id: 'MailSubscriptionCode' }),
    responses: { 202: null },
    errors: [],
    limit: 'logins',
  }),
} as const;

/** Refund of an upgrade, calculated at `prorationDate` (Unix seconds). */
export const UpgradePreview = z
  .object({
    remainingAmountCents: z.int().describe('Refund in cents for the unused part of the period.'),
    currency: z.enum(CURRENCIES).describe('Currency of the refund.'),
    daysLeft: z.int().describe('Days of the period that are left.'),
    isTrialing: z.boolean().describe('The free trial runs, so that there is nothing to refund.'),
    prorationDate: z.int().describe('When the refund was calculated, in Unix seconds.'),
  })
  .meta({ id: 'UpgradePreview' });
export type UpgradePreview = z.infer<typeof UpgradePreview>;

/** Change of plan or period, with its preview. */
export const upgradeRoutes = {
  upgradeByCard: defineRoute({
    method: 'PUT',
    path: '/stripe/subscriptions/upgrade',
    tag: 'billing',
    summary: 'Upgrade by card',
    description:
      'Moves from Personal to Business, or to another period: the new subscription starts, the old one ends, its unused part is refunded.',
    allow: 'session',
    body: z
      .object({
        newPriceId: ProviderId.describe('The provider’s id of the new price.'),
        introPriceId: ProviderId.nullish().describe('The provider’s id of the price of the first week.'),
      })
      .meta({ id: 'UpgradeByCard' }),
    responses: { 200: SubscriptionStarted },
    errors: [
      ...CHANGE_ERRORS,
      'prices.not_found',
      'prices.not_for_sale',
      'billing.country_blocked',
      'billing.not_offered',
      'billing.login_required',
      'billing.intro_unavailable',
      'captcha.failed',
      'subscriptions.not_upgradable',
      'payments.declined',
    ],
    limit: 'writes',
    takesMoney: true,
    captcha: 'form',
  }),
  upgradeByWallet: defineRoute({
    method: 'PUT',
    path: '/paypal/subscriptions/upgrade',
    tag: 'billing',
    summary: 'Upgrade by wallet',
    description: 'Upgrades or changes the period by a subscription that was approved in the wallet.',
    allow: 'session',
    body: z
      .object({ newSubscriptionId: ProviderId.describe('The wallet’s id of the subscription that was approved.') })
      .meta({ id: 'UpgradeByWallet' }),
    responses: { 200: SubscriptionStarted },
    errors: [
      ...CHANGE_ERRORS,
      'billing.country_blocked',
      'billing.not_offered',
      'billing.login_required',
      'captcha.failed',
      'prices.not_for_sale',
      'subscriptions.not_upgradable',
    ],
    limit: 'writes',
    takesMoney: true,
    captcha: 'return',
  }),
  previewUpgrade: defineRoute({
    method: 'GET',
    path: '/:provider/subscriptions/upgrade/preview',
    tag: 'billing',
    summary: 'Preview an upgrade',
    description: 'Returns the refund of an upgrade or change of period.',
    allow: 'session',
    params: SubscriptionProviderParams,
    query: z.object({ newPriceId: ProviderId.optional().describe('The provider’s id of the new price.') }),
    responses: { 200: UpgradePreview },
    errors: [
      ...CHANGE_ERRORS,
      'prices.not_found',
      'prices.not_for_sale',
      'billing.not_offered',
      'subscriptions.not_upgradable',
    ],
    limit: 'reads',
  }),
} as const;
