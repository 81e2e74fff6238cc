import { VIDEO_LIMITS, type VideoLimits } from './catalogue.js';
import { ALLOWANCES, type Role } from './roles.js';

/** Actions that depend on the plan alone. Tools, formats and purchases have `lockedTool`, `ALLOWANCES` and `mayBuy`. */
export const ACTIONS = ['batch', 'plugin_key', 'video', 'premium_formats'] as const;
export type Action = (typeof ACTIONS)[number];

/** A gift code can give a guest the role business. */
export interface Actor {
  readonly role: Role;
  readonly isGuest: boolean;
}

/** `web` shows and `api` rejects by it. */
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

/** Null for a role without videos. */
export const videoLimitsOf = (role: Role): VideoLimits | null =>
  role === 'personal' || role === 'business' ? VIDEO_LIMITS[role] : null;
