import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { User } from './users.js';

/** Rows for staff. Every one of them needs the password in {@link STAFF_PASSWORD_HEADER}. */
export const STAFF_PASSWORD_HEADER = 'x-secret-menu-password';

export const staffRoutes = {
  checkPassword: defineRoute({
    method: 'POST',
    path: '/secret-menu/check',
    tag: 'staff',
    summary: 'Whether the password is right',
    auth: 'optional',
    responses: { 204: null },
    errors: ['secret_menu.password_incorrect'],
    staff: true,
  }),
  setIsFree: defineRoute({
    method: 'PUT',
    path: '/secret-menu/users/is-free',
    tag: 'staff',
    summary: 'Make oneself free, or no longer; not while subscribed',
    auth: 'caller',
    body: z.object({ isFree: z.boolean() }).meta({ id: 'SetIsFree' }),
    responses: { 200: User },
    errors: ['secret_menu.password_incorrect', 'secret_menu.subscribed'],
    limit: 'writes',
    staff: true,
  }),
} as const;
