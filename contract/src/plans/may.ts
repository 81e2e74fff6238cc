import { VIDEO_LIMITS, type VideoLimits } from './catalogue.js';
import { ALLOWANCES, type Role } from './roles.js';

/**
 * Actions that the plan alone allows. Tools and formats have functions of their own (`lockedTool`, `ALLOWANCES`), and so
 * do purchases (`mayBuy`).
 */
export const ACTIONS = ['batch', 'plugin_key', 'video', 'premium_formats'] as const;
export type Action = (typeof ACTIONS)[number];

/** The caller: a role, and whether it is a guest's (a gift code can make a guest's role business). */
export interface Actor {
  readonly role: Role;
  readonly isGuest: boolean;
}

/** Whether a plan allows an action. Used by `web` to show and by `api` to refuse it. */
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
  }
}

/** The video limits of a role, or null for a role without videos. */
export const videoLimitsOf = (role: Role): VideoLimits | null =>
  role === 'personal' || role === 'business' ? VIDEO_LIMITS[role] : null;
