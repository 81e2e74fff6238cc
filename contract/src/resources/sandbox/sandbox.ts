import { z } from 'zod';
import { defineRoute } from '../../http/route.js';
import { LOGIN_PROVIDERS } from '../users/users.js';

/**
 * Ways in which an identity token can be out of the ordinary, to try out what a backend makes of it. All are refused at
 * login with `users.identity_rejected`, but for two: `unverified_email` logs in with an address that proves nothing, and
 * `unavailable` is answered as if the provider could not be reached, `service.unavailable`.
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

/** What the sandbox's identity provider knows of an e-mail address, oldest provider first; none for a new one. */
export const SandboxIdentityAccount = z
  .object({ email: z.string(), providers: z.array(z.enum(LOGIN_PROVIDERS)) })
  .meta({ id: 'SandboxIdentityAccount' });
export type SandboxIdentityAccount = z.infer<typeof SandboxIdentityAccount>;

/** Only there while sandbox adapters are chosen; elsewhere these addresses lead nowhere. They need no token. */
export const sandboxRoutes = {
  issueIdentityToken: defineRoute({
    method: 'POST',
    base: '/api/sandbox',
    path: '/identity/tokens',
    tag: 'sandbox',
    summary: 'Play the part of an identity provider: anybody’s token for the asking',
    allow: 'public',
    body: z
      .object({
        provider: z.enum(LOGIN_PROVIDERS),
        email: z.email(),
        scenario: z.enum(IDENTITY_SCENARIOS).optional(),
        /** Refuses an address that has so far come by other providers only, as real ones do. */
        onlyLinked: z.boolean().optional(),
        /** The identity token of somebody who is signed in: this provider and address are added to their account. */
        linkTo: z.string().min(1).max(10_000).optional(),
      })
      .meta({ id: 'IssueIdentityToken' }),
    responses: { 200: z.object({ idToken: z.string() }).meta({ id: 'IdentityToken' }) },
    errors: ['users.identity_rejected', 'sandbox.account_exists', 'sandbox.credential_in_use', 'sandbox.email_in_use'],
  }),
  getIdentityAccount: defineRoute({
    method: 'GET',
    base: '/api/sandbox',
    path: '/identity/accounts',
    tag: 'sandbox',
    summary: 'By which providers an e-mail address has signed in since the start',
    allow: 'public',
    query: z.object({ email: z.email() }),
    responses: { 200: SandboxIdentityAccount },
    errors: [],
  }),
} as const;
