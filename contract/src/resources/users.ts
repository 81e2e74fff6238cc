import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { AiPipeline } from '../pipeline/tools.js';
import { OPEN_SUBSCRIPTION_STATES, PAYMENT_PROVIDERS } from '../plans/may-buy.js';
import { ROLES } from '../plans/roles.js';

/** A bearer token for `Authorization`. */
export const AccessToken = z.object({ accessToken: z.string() }).meta({ id: 'AccessToken' });
export type AccessToken = z.infer<typeof AccessToken>;

/** What a user has saved (spec 1, section 3). */
export const Preferences = z
  .object({
    /** Remind before a free trial ends. */
    wantsEmailReminder: z.boolean(),
    /** For requests without a pipeline; null: the product's default. */
    defaultAiPipeline: AiPipeline.nullable(),
    /** Results keep the location (GPS) of their originals. */
    keepLocation: z.boolean(),
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
  trialAvailable: z.boolean(),
  hasIncompleteSubscription: z.boolean(),
  isSubscribed: z.boolean(),
  subscriptionIncludesTrial: z.boolean(),
  subscriptionWithIntroPrice: z.boolean(),
  subscriptionProvider: z.enum(['stripe', 'paypal', 'mobile']).nullable(),
  subscriptionId: z.string().nullable(),
  priceId: z.string().nullable(),
  /** True until a subscription has started. */
  introAvailable: z.boolean(),
  /** Still chargeable by its provider. */
  openSubscription: z
    .object({
      provider: z.enum(PAYMENT_PROVIDERS),
      priceId: z.string().nullable(),
      state: z.enum(OPEN_SUBSCRIPTION_STATES),
      /** The first invoice is at the intro price. */
      hasIntro: z.boolean(),
    })
    .meta({ id: 'OpenSubscription' })
    .nullable(),
});

/**
 * `id` and `firebaseUid` are the identity provider's (for a guest null and the product's); `webUserId` and `backendId`
 * are the product's.
 */
export const User = z
  .object({
    id: z.string(),
    webUserId: z.uuid(),
    backendId: z.uuid(),
    firebaseUid: z.string().nullable(),
    /** Independent of the role: staff or a gift code can make a guest `business`. */
    isGuest: z.boolean(),
    role: z.enum(ROLES),
    email: z.string().nullable(),
    source: z.enum(LOGIN_PROVIDERS).nullable(),
    createdAt: z.iso.datetime(),
    isFree: z.boolean(),
    availableCredits: z.int(),
    mobileOracleBackendId: z.string().nullable(),
    marketingConsent: z.boolean(),
    imageTrainingConsent: z.boolean(),
    nextRenewImageDownloadLimitsDatetime: z.iso.datetime().nullable(),
    giftCode: z.object({ isActive: z.boolean(), expiryAt: z.iso.datetime() }).nullable(),
    preferences: Preferences,
    monetization: Monetization,
    /** In the current period; null is unlimited. */
    limits: z.object({ exports: z.int().nullable(), exportsUsed: z.int() }),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof User>;

/**
 * Single-use id with which another session takes over the guest of an onboarding funnel: 128 random bits, base64url. As
 * secret as a token. A new one replaces earlier ones.
 */
export const WebOnboardingId = z.object({ webOnboardingUserId: z.string() }).meta({ id: 'WebOnboardingId' });
export type WebOnboardingId = z.infer<typeof WebOnboardingId>;

/** Guests, logins and the caller's account. */
export const userRoutes = {
  createGuest: defineRoute({
    method: 'POST',
    path: '/users',
    tag: 'users',
    summary: 'Create a guest',
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
    summary: 'Sign in with an identity token; the data of the guest whose token is sent moves to the account',
    allow: 'anyone',
    body: z
      .object({ firebaseIdToken: z.string().min(1).max(10_000), preferences: Preferences.partial().optional() })
      .meta({ id: 'Login' }),
    responses: { 200: AccessToken },
    errors: ['users.identity_rejected'],
    limit: 'logins',
  }),
  issueWebOnboardingId: defineRoute({
    method: 'POST',
    path: '/users/@me/web-onboarding',
    tag: 'users',
    summary: 'Issue a single-use id with which another session takes over this guest',
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
    summary: 'Take over the guest of an onboarding funnel; the guest’s session ends',
    allow: 'session',
    body: z.object({ webOnboardingUserId: z.string().min(1).max(255) }).meta({ id: 'Migrate' }),
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
    summary: 'Extend this session to 30 days from now; its earlier tokens stay valid until they expire',
    allow: 'session',
    responses: { 200: AccessToken },
    errors: [],
    limit: 'writes',
  }),
  logout: defineRoute({
    method: 'POST',
    path: '/users/logout',
    tag: 'users',
    summary: 'End this session and invalidate its token',
    allow: 'session',
    responses: { 204: null },
    errors: [],
    limit: 'writes',
  }),
  getCurrentUser: defineRoute({
    method: 'GET',
    path: '/users/@me',
    tag: 'users',
    summary: 'Get the current user with role, entitlements and limits',
    allow: { sessionOrKey: 'profile' },
    responses: { 200: User },
    errors: [],
    limit: 'reads',
  }),
  updatePreferences: defineRoute({
    method: 'PUT',
    path: '/users/@me/preferences/override',
    tag: 'users',
    summary: 'Change saved preferences; others stay unchanged',
    allow: 'session',
    body: z.object({ preferences: Preferences.partial() }).meta({ id: 'OverridePreferences' }),
    responses: { 200: User },
    errors: ['pipeline.not_in_plan', 'billing.not_offered'],
    limit: 'writes',
  }),
  deleteCurrentUser: defineRoute({
    method: 'DELETE',
    path: '/users/@me',
    tag: 'users',
    summary: 'Erase the account and all its media permanently',
    allow: 'session',
    responses: { 204: null },
    errors: [],
    limit: 'writes',
  }),
} as const;
