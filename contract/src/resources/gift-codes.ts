import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { User } from './users.js';

/** The gift after redeeming; codes add up. */
export const GiftCodeRedeemed = z
  .object({
    giftCode: z
      .object({
        isActive: z.boolean().describe('The gift has not expired.'),
        expiryAt: z.iso.datetime().describe('When the gift expires.'),
      })
      .describe('The gift after redeeming; codes add up.'),
  })
  .meta({ id: 'GiftCodeRedeemed' });
export type GiftCodeRedeemed = z.infer<typeof GiftCodeRedeemed>;

/** Redeeming of gift codes. */
export const giftCodeRoutes = {
  redeemGiftCode: defineRoute({
    method: 'POST',
    path: '/gift-codes/redeem',
    tag: 'billing',
    summary: 'Redeem a gift code',
    description: 'Grants the Business plan until the gift expires.',
    allow: 'session',
    body: z
      .object({ code: z.string().trim().min(1).max(100).describe('The code, 1 to 100 characters.') })
      .meta({ id: 'RedeemGiftCode' }),
    responses: { 200: GiftCodeRedeemed },
    errors: ['gift_codes.not_found', 'gift_codes.used', 'gift_codes.expired'],
    limit: 'logins',
    idempotent: true,
  }),
} as const;

/** Subscriptions bought in the mobile app. */
export const mobileRoutes = {
  linkMobileSubscription: defineRoute({
    method: 'POST',
    path: '/link-mobile',
    tag: 'billing',
    summary: 'Link a mobile subscription',
    description: 'Links a subscription of the mobile app with the same verified email address.',
    allow: 'account',
    body: z
      .object({ oracleBackendId: z.string().min(1).max(255).describe('Id of the account of the mobile app.') })
      .meta({ id: 'LinkMobile' }),
    responses: { 200: User },
    errors: ['mobile.not_found', 'mobile.already_linked', 'service.not_configured'],
    limit: 'logins',
    idempotent: true,
  }),
} as const;
