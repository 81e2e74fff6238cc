import { OUTPUT_CONTENT_TYPES, type OutputContentType } from '../media/types.js';
import { toolsOf } from '../pipeline/applied-tools.js';
import { type AiPipeline, type ToolName } from '../pipeline/tools.js';
import { megabytes } from '../units.js';
import { VIDEO_LIMITS, type VideoLimits } from './catalogue.js';

/**
 * `guest` never logged in; `base` pays nothing; `credits` holds bought downloads; `personal` and `business` subscribe.
 * `api` derives the role for every request and never stores it.
 */
export const ROLES = ['guest', 'base', 'credits', 'personal', 'business'] as const;
export type Role = (typeof ROLES)[number];

export interface RoleEntitlements {
  readonly isGuest: boolean;
  /** Plan of the subscribed price; null without a running subscription. */
  readonly subscribedPlan: 'personal' | 'business' | null;
  readonly subscriptionProvider: 'stripe' | 'paypal' | 'mobile' | null;
  readonly isGiftCodeActive: boolean;
  /** Set by staff. */
  readonly isFree: boolean;
  readonly availableCredits: number;
}

/** Business: a business price, an active gift code, the free flag, or a subscription bought in the mobile app. */
export function roleOf(entitlements: RoleEntitlements): Role {
  if (entitlements.isFree || entitlements.isGiftCodeActive) return 'business';
  if (entitlements.subscribedPlan === 'business') return 'business';
  if (entitlements.subscribedPlan && entitlements.subscriptionProvider === 'mobile') return 'business';
  if (entitlements.subscribedPlan === 'personal') return 'personal';
  if (entitlements.isGuest) return 'guest';
  return entitlements.availableCredits > 0 ? 'credits' : 'base';
}

/** Models by tool; a missing tool is locked. */
type ToolAccess = Readonly<Partial<Record<ToolName, readonly string[] | 'all'>>>;

/** Decisions, section 2. */
export interface Allowance {
  readonly tools: ToolAccess;
  readonly formats: readonly OutputContentType[];
  readonly batch: boolean;
  /** Results as large as their originals; see `outputSize` of {@link AiPipeline}. */
  readonly originalSize: boolean;
  /**
   * How a result is served before any export: `watermarked` in full size, `preview` clean but at most {@link
   * PREVIEW_MAX_SIDE} pixels, or `clean` in full size.
   */
  readonly delivery: 'watermarked' | 'preview' | 'clean';
}

/** Longest side in pixels of an unpaid clean preview. */
export const PREVIEW_MAX_SIDE = 1280;

const UNPAID: Allowance = {
  tools: { repair: ['base'], faceEnhance: ['base'], backgroundEnhance: ['base'], fade: ['base'] },
  formats: ['image/jpeg'],
  batch: false,
  originalSize: false,
  delivery: 'watermarked',
};

/** What each role may use (spec 1, section 6). */
export const ALLOWANCES: Readonly<Record<Role, Allowance>> = {
  guest: UNPAID,
  base: UNPAID,
  credits: UNPAID,
  personal: {
    tools: { repair: 'all', faceEnhance: 'all', backgroundEnhance: 'all', fade: 'all', bokeh: 'all' },
    formats: ['image/jpeg'],
    batch: false,
    originalSize: false,
    delivery: 'preview',
  },
  business: {
    tools: {
      repair: 'all',
      faceEnhance: 'all',
      backgroundEnhance: 'all',
      fade: 'all',
      bokeh: 'all',
      faceLifting: 'all',
      colorEnhance: 'all',
    },
    formats: OUTPUT_CONTENT_TYPES,
    batch: true,
    originalSize: true,
    delivery: 'clean',
  },
};

/**
 * Role of test keys, whatever the owner's plan: they try everything. Their results carry the watermark and can't be paid
 * for.
 */
export const TEST_KEY_ROLE: Role = 'business';

/** Pictures that the test keys of an account enhance a day (UTC), apart from every plan: enough for a test suite. */
export const TEST_PICTURES_PER_DAY = 100;

/**
 * The first part of a pipeline that the role may not use, or null.
 * @param isUncapped whether the flag `removeCap` is on, which gives everyone the original size
 */
export function lockedTool(role: Role, pipeline: AiPipeline, isUncapped = false): ToolName | 'outputSize' | null {
  for (const name of toolsOf(pipeline)) {
    const settings = pipeline[name];
    if (!settings) continue;
    const access = ALLOWANCES[role].tools[name];
    if (access === 'all') continue;
    if (!access || !('model' in settings)) return name;
    const ofFaces = 'faces' in settings ? (settings.faces ?? []).flatMap(({ model }) => model ?? []) : [];
    if ([settings.model, ...ofFaces].some((model) => !access.includes(model))) return name;
  }
  const isLarge = pipeline.outputSize === 'original' && !isUncapped;
  return isLarge && !ALLOWANCES[role].originalSize ? 'outputSize' : null;
}

/** The pipeline without the parts that the role may not use. */
export function pipelineInPlan(role: Role, pipeline: AiPipeline): AiPipeline {
  const inPlan = { ...pipeline };
  for (let locked = lockedTool(role, inPlan); locked; locked = lockedTool(role, inPlan)) delete inPlan[locked];
  return inPlan;
}

/** PNG where the plan has it, else JPEG. */
export const defaultFormatOf = (role: Role): OutputContentType =>
  ALLOWANCES[role].formats.includes('image/png') ? 'image/png' : 'image/jpeg';

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
