import { megabytes } from '../units.js';
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

/** Rounded to a tenth of a megabyte, as limits count (spec 2, section 5). */
export const countedMb = (sizeBytes: number): number => Math.round((sizeBytes / megabytes(1)) * 10) / 10;
/** Rounded up to a second, as limits count. */
export const countedSeconds = (seconds: number): number => Math.ceil(seconds);

/** Bytes of the largest file that counts as `maxSizeMb`. */
export const maxBytesOf = ({ maxSizeMb }: Pick<VideoLimits, 'maxSizeMb'>): number => megabytes(maxSizeMb + 0.05) - 1;

/** Null for a role without videos. */
export const videoLimitsOf = (role: Role): VideoLimits | null =>
  role === 'personal' || role === 'business' ? VIDEO_LIMITS[role] : null;
