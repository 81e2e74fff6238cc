import { z } from 'zod';
import { defineRoute } from '../http/route.js';

/** The answer to becoming somebody: a bearer token, bound to a session that can be revoked. */
export const AccessToken = z.object({ accessToken: z.string() }).meta({ id: 'AccessToken' });
export type AccessToken = z.infer<typeof AccessToken>;

export const userRoutes = {
  createGuest: defineRoute({
    method: 'POST',
    path: '/users',
    tag: 'users',
    summary: 'Become a guest',
    auth: 'none',
    responses: { 201: AccessToken },
    errors: [],
    limit: 'guests',
    idempotent: true,
  }),
} as const;
