import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { EmailAddress } from './email.js';

/** A mail that the sandbox has caught. */
export const SandboxMail = z
  .object({
    id: z.uuid(),
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    /** Null for messages without an HTML part. */
    html: z.string().nullable(),
    /** BCP 47 tag. */
    language: z.string().nullable(),
    sentAt: z.iso.datetime(),
  })
  .meta({ id: 'SandboxMail' });
export type SandboxMail = z.infer<typeof SandboxMail>;

/** Available while mail is written to a folder. */
export const sandboxMailRoutes = {
  list: defineRoute({
    method: 'GET',
    base: '/api/sandbox',
    path: '/mail',
    tag: 'sandbox',
    summary: 'List mail written without a mail server, newest first; a page for browsers',
    allow: 'public',
    query: z.object({
      to: EmailAddress.optional(),
      limit: z.coerce.number().int().min(1).max(100).default(50),
      /** Id of the last message of the previous page. */
      startingAfter: z.uuid().optional(),
    }),
    responses: { 200: z.object({ data: z.array(SandboxMail), hasMore: z.boolean() }).meta({ id: 'SandboxMailList' }) },
    errors: ['request.not_found'],
  }),
} as const;

/** Available while the mobile app's backend is the sandbox. */
export const sandboxMobileRoutes = {
  subscribe: defineRoute({
    method: 'POST',
    base: '/api/sandbox',
    path: '/mobile/subscriptions',
    tag: 'sandbox',
    summary: 'Buy a subscription in the sandbox mobile app',
    allow: 'public',
    body: z.object({ email: EmailAddress }).meta({ id: 'SandboxMobileSubscribe' }),
    responses: { 201: z.object({ oracleBackendId: z.string() }).meta({ id: 'SandboxMobileAccount' }) },
    errors: [],
  }),
} as const;
