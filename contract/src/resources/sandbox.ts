import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { EmailAddress } from './email.js';
import { LOGIN_PROVIDERS } from './users.js';

/**
 * Irregular identity tokens for tests. Login rejects them with `users.identity_rejected`, except `unverified_email`,
 * which logs in with the address unverified, and `unavailable`, which answers `service.unavailable`.
 */
export const IDENTITY_SCENARIOS = [
  'expired',
  'other_key',
  'other_audience',
  'other_issuer',
  'unsigned',
  'anonymous',
  'disabled',
  'unverified_email',
  'unavailable',
] as const;
export type IdentityScenario = (typeof IDENTITY_SCENARIOS)[number];

/** What `web` calls of the sandbox, which `api` forwards while it is the identity provider. */
export const sandboxRoutes = {
  issueIdentityToken: defineRoute({
    method: 'POST',
    base: '/api/sandbox',
    path: '/identity/tokens',
    tag: 'sandbox',
    summary: 'Issue an identity token',
    description: 'Signs in as any email address, where the sandbox is the identity provider.',
    allow: 'public',
    body: z
      .object({
        provider: z.enum(LOGIN_PROVIDERS).describe('The login provider to play.'),
        email: EmailAddress.describe('Any email address.'),
        scenario: z.enum(IDENTITY_SCENARIOS).optional().describe('An irregular token, for tests.'),
        onlyLinked: z
          .boolean()
          .optional()
          .describe('Reject an address that has signed in only by other providers, as real providers do.'),
        linkTo: z
          .string()
          .min(1)
          .max(10_000)
          .optional()
          .describe('Identity token of the account to link this provider and address to.'),
      })
      .meta({ id: 'IssueIdentityToken' }),
    responses: { 200: z.object({ idToken: z.string().describe('The identity token.') }).meta({ id: 'IdentityToken' }) },
    errors: ['users.identity_rejected', 'sandbox.account_exists', 'sandbox.credential_in_use', 'sandbox.email_in_use'],
  }),
} as const;
