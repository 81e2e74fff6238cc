import { z } from 'zod';
import { defineRoute } from '../http/route.js';

/** Parts of paths. `marketing`: mail with tips and offers. `image-training`: training models on the user's pictures. */
export const CONSENT_KINDS = ['marketing', 'image-training'] as const;
export type ConsentKind = (typeof CONSENT_KINDS)[number];

export const Consent = z
  .object({
    granted: z.boolean().describe('The consent is granted.'),
    grantedAt: z.iso.datetime().describe('When it was first granted.'),
  })
  .meta({ id: 'Consent' });
export type Consent = z.infer<typeof Consent>;

const params = z.object({
  kind: z
    .enum(CONSENT_KINDS)
    .describe('`marketing`: mail with tips and offers. `image-training`: training on the pictures of the user.'),
});

const requestUrl = z.url().max(2_000).describe('Where the user was asked. Stored as evidence, never fetched.');

/** Giving and withdrawing consents. */
export const consentRoutes = {
  grantConsent: defineRoute({
    method: 'POST',
    path: '/users/@me/consents/:kind',
    tag: 'users',
    summary: 'Grant a consent',
    description: 'Records that the user agrees. Repeated calls return the time of the first.',
    allow: 'session',
    params,
    body: z.object({ requestUrl }).meta({ id: 'GrantConsent' }),
    responses: { 200: Consent },
    errors: [],
    limit: 'writes',
    idempotent: true,
  }),
  withdrawConsent: defineRoute({
    method: 'DELETE',
    path: '/users/@me/consents/:kind',
    tag: 'users',
    summary: 'Withdraw a consent',
    description: 'Records that the user withdraws or refuses a consent.',
    allow: 'session',
    params,
    body: z.object({ requestUrl: requestUrl.optional() }).meta({ id: 'WithdrawConsent' }),
    responses: { 204: null },
    errors: [],
    limit: 'writes',
  }),
} as const;
