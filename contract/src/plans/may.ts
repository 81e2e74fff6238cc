import { VIDEO_LIMITS, type VideoLimits } from './catalogue.js';
import { ALLOWANCES, type Role } from './roles.js';

/** What one may ask leave for that is a matter of the plan alone. Tools and formats have answers of their own. */
export const ACTIONS = ['batch', 'plugin_key', 'video', 'buy_pack', 'subscribe', 'upgrade', 'premium_formats'] as const;
export type Action = (typeof ACTIONS)[number];

/** Who asks: the role, and whether they ever logged in (a gift code may make a guest a business). */
export interface Actor {
  readonly role: Role;
  readonly isGuest: boolean;
}

/** Whether a plan allows something. One answer for `web`, which shows, and `api`, which refuses. */
export function may({ role, isGuest }: Actor, action: Action): boolean {
  switch (action) {
    case 'batch':
      return ALLOWANCES[role].batch;
    case 'plugin_key':
      return role === 'business' && !isGuest;
    case 'video':
      return videoLimitsOf(role) !== null;
    case 'premium_formats':
      return ALLOWANCES[role].formats.length > 1;
    // A guest may pay for one picture only; everything else needs an account to belong to.
    case 'buy_pack':
    case 'subscribe':
      return !isGuest;
    case 'upgrade':
      return role === 'personal';
  }
}

/** The video limits of a role, or null where videos are not part of it. */
export const videoLimitsOf = (role: Role): VideoLimits | null =>
  role === 'personal' || role === 'business' ? VIDEO_LIMITS[role] : null;
