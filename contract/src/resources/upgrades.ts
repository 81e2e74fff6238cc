import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { CURRENCIES } from '../plans/catalogue.js';
import { ProviderId } from './payments.js';
import { CHANGE_ERRORS, SubscriptionProviderParams, SubscriptionStarted } from './subscriptions.js';

/** Refund of an upgrade, calculated at `prorationDate` (Unix seconds). */
export const UpgradePreview = z
  .object({
    remainingAmountCents: z.int(),
    currency: z.enum(CURRENCIES),
    daysLeft: z.int(),
    isTrialing: z.boolean(),
    prorationDate: z.int(),
  })
  .meta({ id: 'UpgradePreview' });
export type UpgradePreview = z.infer<typeof UpgradePreview>;

/** Change of plan or period, with its preview. */
export const upgradeRoutes = {
  upgradeByCard: defineRoute({
    method: 'PUT',
    path: '/stripe/subscriptions/upgrade',
    tag: 'billing',
    summary:
      'Move from personal to business, or to another period: the new one starts, the old one ends, its unused part is refunded',
    allow: 'session',
    body: z.object({ newPriceId: ProviderId, introPriceId: ProviderId.nullish() }).meta({ id: 'UpgradeByCard' }),
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
    summary: 'Upgrade or change the period by a subscription that was approved in the wallet',
    allow: 'session',
    body: z.object({ newSubscriptionId: ProviderId }).meta({ id: 'UpgradeByWallet' }),
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
    summary: 'Preview the refund of an upgrade or change of period',
    allow: 'session',
    params: SubscriptionProviderParams,
    query: z.object({ newPriceId: ProviderId.optional() }),
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
