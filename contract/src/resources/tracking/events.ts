import { z } from 'zod';
import { SURVEY_KINDS } from '../../settings/survey-kinds.js';
import { LOGIN_PROVIDERS } from '../users/users.js';
import { AD_PAYMENT_VALUE } from './constants.js';

/** An operation starts, then ends in one of three ways. */
const OPERATION_STEPS = ['started', 'completed', 'failed', 'canceled'] as const;
export type OperationStep = (typeof OPERATION_STEPS)[number];

/** Spec 1, section 2. */
const ACCOUNT_TABS = ['subscription', 'general', 'limits', 'pluginKey'] as const;

const operation = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ operation: z.enum(OPERATION_STEPS), ...shape });

/** A provider's button, or Google One Tap. */
const LoginMethod = z.enum([...LOGIN_PROVIDERS, 'one_tap']);

/** Error code: the provider's (`auth/…`) or the API's. */
const reason = z.string().max(100).optional();

/** Data by event. Keys of the data keep their case on the wire. Names in snake case are those of spec 2, section 4. */
export const TRACKING_EVENTS = {
  login: operation({ method: LoginMethod, reason }),
  accountLinking: operation({ provider: z.enum(LOGIN_PROVIDERS), reason }),
  logout: operation({ reason }),
  onboardingMigration: operation({ reason }),
  /** `priceIds` are the prices shown, or the one accepted; `previousAction` opened the paywall. */
  paywall: z.object({
    action: z.enum(['shown', 'accepted', 'dismissed']),
    previousAction: z.string().nullable(),
    priceIds: z.array(z.string()),
  }),
  /** A payment, for advertising; sent with consent only. The value is fixed (spec 1, section 9). */
  payment: z.object({ value: z.literal(AD_PAYMENT_VALUE), currency: z.literal('USD') }),
  /** A chosen video is over a limit. Values in MB or seconds. */
  video_enhance_limit: z.object({
    reason: z.enum(['size', 'duration', 'size_business', 'duration_business', 'week_size', 'week_duration']),
    max: z.number().nullable(),
    actual: z.number().nullable(),
  }),
  /** More or larger photos than an upload takes; `business_required`: the plan has no batches. */
  bulk_upload_limit: z.object({
    reason: z.enum(['too_few_files', 'too_many_files', 'size', 'business_required']),
    files: z.int(),
  }),
  /** A chosen file is no photo. `found`: its format, if known. */
  bulk_upload_format: z.object({ reason: z.literal('wrong_file_format'), found: z.string().nullable() }),
  /** The answer to a question for a consent. */
  consent: z.object({
    consent: z.enum(['marketing', 'image_training']),
    action: z.enum(['accepted', 'not_accepted']),
  }),
  /** A session, by subtype. `durationSeconds` of one that ended, without the time after its last event. */
  session: z.object({ durationSeconds: z.int().optional() }),
  /** An operation was started twice, or ended without a start (spec 1, section 8). */
  operationWarning: z.object({
    warning: z.enum(['started_twice', 'not_started']),
    kind: z.string(),
    step: z.enum(OPERATION_STEPS),
  }),
  /** Local storage is disabled; the page remembers what it would hold (spec 1, section 8). */
  storageUnavailable: z.object({}),
  /** The cookie banner or the settings behind it. `customizing`: they were opened. */
  cookieBanner: z.object({ action: z.enum(['accepted', 'rejected', 'customized', 'customizing']) }),
  /** Steps of a survey (spec 1, section 4); the answers come with `end`. */
  survey: z.object({
    survey: z.enum(SURVEY_KINDS),
    action: z.enum(['start', 'ongoing', 'end', 'declined']),
    answers: z.record(z.string(), z.string()).optional(),
  }),
  settings: z.object({ action: z.templateLiteral([z.enum(ACCOUNT_TABS), '_tapped']) }),
} as const satisfies Record<string, z.ZodObject>;

export type TrackingKind = keyof typeof TRACKING_EVENTS;
export type TrackingData<Kind extends TrackingKind> = z.infer<(typeof TRACKING_EVENTS)[Kind]>;
