import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { LOGIN_PROVIDERS } from './users.js';

/** Ways in which an identity token can be bad, to try out what a backend makes of them. */
export const IDENTITY_SCENARIOS = [
  'expired',
  'other_key',
  'other_audience',
  'other_issuer',
  'unsigned',
  'unverified_email',
] as const;
export type IdentityScenario = (typeof IDENTITY_SCENARIOS)[number];

/** Only there while sandbox adapters are chosen; elsewhere these addresses lead nowhere. They need no token. */
export const sandboxRoutes = {
  issueIdentityToken: defineRoute({
    method: 'POST',
    base: '/api/sandbox',
    path: '/identity/tokens',
    tag: 'sandbox',
    summary: 'Play the part of an identity provider: anybody’s token for the asking',
    auth: 'none',
    body: z
      .object({
        provider: z.enum(LOGIN_PROVIDERS),
        email: z.email(),
        scenario: z.enum(IDENTITY_SCENARIOS).optional(),
      })
      .meta({ id: 'IssueIdentityToken' }),
    responses: { 200: z.object({ idToken: z.string() }).meta({ id: 'IdentityToken' }) },
    errors: [],
  }),
} as const;
