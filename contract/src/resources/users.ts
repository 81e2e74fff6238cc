import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { AiPipeline } from '../pipeline/tools.js';
import { OPEN_SUBSCRIPTION_STATES, PAYMENT_PROVIDERS } from '../plans/may-buy.js';
import { ROLES } from '../plans/roles.js';

/** A bearer token for `Authorization`. */
export const AccessToken = z
  .object({ accessToken: z.string().describe('A bearer token for `Authorization`.') })
  .meta({ id: 'AccessToken' });
export type AccessToken = z.infer<typeof AccessToken>;

/** What a user has saved (spec 1, section 3). */
export const Preferences = z
  .object({
    wantsEmailReminder: z.boolean().describe('Send a reminder by mail before a free trial ends.'),
    defaultAiPipeline: AiPipeline.nullable().describe(
      'The tools for requests that name none; null: those of the product.',
    ),
    keepLocation: z.boolean().describe('Results keep the location (GPS) of their originals.'),
  })
  .meta({ id: 'Preferences' });
export type Preferences = z.infer<typeof Preferences>;

/** Preferences until a user saves others. */
export const DEFAULT_PREFERENCES: Preferences = {
  wantsEmailReminder: true,
  defaultAiPipeline: null,
  keepLocation: false,
};

/** Ways to log in (spec 1, section 1). */
export const LOGIN_PROVIDERS = ['google', 'facebook', 'apple'] as const;
export type LoginProvider = (typeof LOGIN_PROVIDERS)[number];

const Monetization = z.object({
  trialAvailable: z.boolean().describe('A subscription can start with a free trial.'),
  hasIncompleteSubscription: z.boolean().describe('The first charge of a subscription has failed.'),
  isSubscribed: z.boolean().describe('A subscription runs.'),
  subscriptionIncludesTrial: z.boolean().describe('The subscription started with a free trial.'),
  subscriptionWithIntroPrice: z.boolean().describe('The subscription started at the intro price.'),
  subscriptionProvider: z
    .enum(['stripe', 'paypal', 'mobile'])
    .nullable()
    .describe('Who charges the subscription; `mobile`: bought in the mobile app. Null without one.'),
  subscriptionId: z.string().nullable().describe('The provider’s id of the subscription; null without one.'),
  priceId: z.string().nullable().describe('The provider’s id of the price; null without a subscription.'),
  introAvailable: z.boolean().describe('The intro price is available: no subscription has started yet.'),
  openSubscription: z
    .object({
      provider: z.enum(PAYMENT_PROVIDERS).describe('Who charges it.'),
      priceId: z.string().nullable().describe('The provider’s id of the price; null where it is unknown.'),
      state: z.enum(OPEN_SUBSCRIPTION_STATES).describe('State of the subscription.'),
      hasIntro: z.boolean().describe('The first invoice is at the intro price.'),
    })
    .meta({ id: 'OpenSubscription' })
    .nullable()
    .describe('The subscription that its provider may still charge; null without one.'),
});

/**
 * `id` and `firebaseUid` are the identity provider's (for a guest null and the product's); `webUserId` and `backendId`
 * are the product's.
 */
export const User = z
  .object({
    id: z.string().describe('Id at the identity provider; of a guest that of the product.'),
    webUserId: z.uuid().describe('Id in the product.'),
    backendId: z.uuid().describe('The same as `web_user_id`, by an older name.'),
    firebaseUid: z.string().nullable().describe('Id at the identity provider; null for a guest.'),
    isGuest: z
      .boolean()
      .describe('Has never logged in. Independent of the role: staff or a gift code can make a guest `business`.'),
    role: z.enum(ROLES).describe('What the account may do, by its plan.'),
    email: z.string().nullable().describe('Email address; null for a guest.'),
    source: z.enum(LOGIN_PROVIDERS).nullable().describe('How the user logged in; null for a guest.'),
    createdAt: z.iso.datetime().describe('When the account was created.'),
    isFree: z.boolean().describe('Staff has granted free access.'),
    availableCredits: z.int().describe('Downloads that were bought and are left.'),
    mobileOracleBackendId: z
      .string()
      .nullable()
      .describe('Id of the linked account of the mobile app; null without one.'),
    marketingConsent: z.boolean().describe('The user has agreed to mail with tips and offers.'),
    imageTrainingConsent: z.boolean().describe('The user has agreed to training on the pictures.'),
    nextRenewImageDownloadLimitsDatetime: z.iso
      .datetime()
      .nullable()
      .describe('When the downloads of the plan are renewed; null without a limit.'),
    giftCode: z
      .object({
        isActive: z.boolean().describe('The gift has not expired.'),
        expiryAt: z.iso.datetime().describe('When the gift expires.'),
      })
      .nullable()
      .describe('The gift that was redeemed; null without one.'),
    preferences: Preferences.describe('Saved preferences.'),
    monetization: Monetization.describe('Subscription and offers.'),
    limits: z
      .object({
        exports: z.int().nullable().describe('Downloads of the plan in the current period; null: unlimited.'),
        exportsUsed: z.int().describe('Downloads used in the current period.'),
      })
      .describe('Downloads of the plan in the current period.'),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof User>;

/**
 * Single-use id with which another session takes over the guest of an onboarding funnel: 128 random bits, base64url. As
 * secret as a token. A new one replaces earlier ones.
 */
export const WebOnboardingId = z
  .object({
    webOnboardingUserId: z
      .string()
      .describe('Single-use id of the guest, as secret as a token; it replaces earlier ones.'),
  })
  .meta({ id: 'WebOnboardingId' });
export type WebOnboardingId = z.infer<typeof WebOnboardingId>;

/** Guests, logins and the caller's account. */
export const userRoutes = {
  createGuest: defineRoute({
    method: 'POST',
    path: '/users',
    tag: 'users',
    summary: 'Create a guest',
    description:
      'Creates a user without a login and returns a token. Its pictures move to the account at a later login.',
    allow: 'public',
    responses: { 201: AccessToken },
    errors: [],
    limit: 'guests',
    idempotent: true,
  }),
  login: defineRoute({
    method: 'POST',
    path: '/users/login',
    tag: 'users',
    summary: 'Log in',
    description:
      'Starts a session by an identity token. The data of the guest whose token is sent move to the account.',
    allow: 'anyone',
    body: z
      .object({
        firebaseIdToken: z.string().min(1).max(10_000).describe('The identity token of the login provider.'),
        preferences: Preferences.partial().optional().describe('Preferences to save with the login.'),
      })
      .meta({ id: 'Login' }),
    responses: { 200: AccessToken },
    errors: ['users.identity_rejected'],
    limit: 'logins',
  }),
  issueWebOnboardingId: defineRoute({
    method: 'POST',
    path: '/users/@me/web-onboarding',
    tag: 'users',
    summary: 'Issue an onboarding id',
    description: 'Issues a single-use id with which another session takes over this guest.',
    allow: 'session',
    responses: { 201: WebOnboardingId },
    errors: ['users.not_a_guest'],
    limit: 'writes',
    idempotent: true,
  }),
  migrateGuest: defineRoute({
    method: 'POST',
    path: '/users/migrate',
    tag: 'users',
    summary: 'Take over a guest',
    description: 'Takes over the guest of an onboarding funnel, whose session ends.',
    allow: 'session',
    body: z
      .object({
        webOnboardingUserId: z
          .string()
          .min(1)
          .max(255)
          .describe('The id that `issueWebOnboardingId` returned to the other session.'),
      })
      .meta({ id: 'Migrate' }),
    responses: { 200: User },
    errors: [
      'users.onboarding_not_found',
      'users.onboarding_used',
      'users.onboarding_own',
      'users.onboarding_logged_in',
    ],
    limit: 'logins',
    idempotent: true,
  }),
  renewSession: defineRoute({
    method: 'POST',
    path: '/users/renew',
    tag: 'users',
    summary: 'Renew the session',
    description: 'Extends this session to 30 days from now. Its earlier tokens stay valid until they expire.',
    allow: 'session',
    responses: { 200: AccessToken },
    errors: [],
    limit: 'writes',
  }),
  logout: defineRoute({
    method: 'POST',
    path: '/users/logout',
    tag: 'users',
    summary: 'Log out',
    description: 'Ends this session and invalidates its token.',
    allow: 'session',
    responses: { 204: null },
    errors: [],
    limit: 'writes',
  }),
  getCurrentUser: defineRoute({
    method: 'GET',
    path: '/users/@me',
    tag: 'users',
    summary: 'Get the account',
    description: 'Returns the account of the caller with its role, preferences and limits.',
    allow: { sessionOrKey: 'any' },
    responses: { 200: User },
    errors: [],
    limit: 'reads',
  }),
  updatePreferences: defineRoute({
    method: 'PUT',
    path: '/users/@me/preferences/override',
    tag: 'users',
    summary: 'Change preferences',
    description: 'Changes the saved preferences that are sent; others stay as they are.',
    allow: 'session',
    body: z
      .object({ preferences: Preferences.partial().describe('The preferences to change; others stay.') })
      .meta({ id: 'OverridePreferences' }),
    responses: { 200: User },
    errors: ['pipeline.not_in_plan', 'billing.not_offered'],
    limit: 'writes',
  }),
  deleteCurrentUser: defineRoute({
    method: 'DELETE',
    path: '/users/@me',
    tag: 'users',
    summary: 'Delete the account',
    description: 'Erases the account and all its media for good.',
    allow: 'session',
    responses: { 204: null },
    errors: [],
    limit: 'writes',
  }),
} as const;
