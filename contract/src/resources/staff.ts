import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { User } from './users.js';

/** Request header, on routes that allow `staff` or `staff_session`. */
export const STAFF_PASSWORD_HEADER = 'x-secret-menu-password';

/** The secret menu, behind the staff password. */
export const staffRoutes = {
  checkStaffPassword: defineRoute({
    method: 'POST',
    path: '/secret-menu/check',
    tag: 'staff',
    summary: 'Check the staff password',
    description: 'Answers 204 for the right password.',
    allow: 'staff',
    responses: { 204: null },
    errors: [],
  }),
  setIsFree: defineRoute({
    method: 'PUT',
    path: '/secret-menu/users/is-free',
    tag: 'staff',
    summary: 'Grant free access',
    description: 'Grants or removes free access for the current user; not while subscribed.',
    allow: 'staff_session',
    body: z.object({ isFree: z.boolean().describe('Grant free access.') }).meta({ id: 'SetIsFree' }),
    responses: { 200: User },
    errors: ['secret_menu.subscribed'],
    limit: 'writes',
  }),
} as const;
