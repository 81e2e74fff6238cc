import { z } from 'zod';
import { SURVEY_KINDS } from '../settings/survey-kinds.js';
import { AD_PAYMENT_VALUE } from './constants.js';
import { LOGIN_PROVIDERS } from './users.js';

/** An operation starts, then ends in one of three ways. */
const OPERATION_STEPS = ['started', 'completed', 'failed', 'canceled'] as const;
export type OperationStep = (typeof OPERATION_STEPS)[number];

/** Spec 1, section 2. */
const ACCOUNT_TABS = ['subscription', 'general', 'limits', 'pluginKey'] as const;

/**
 * `durationMs` and `errorCode` come with the end. The duration is absent where the start is unknown; the code is the
 * provider's (`auth/…`) or the API's.
 */
const operation = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({
    operation: z.enum(OPERATION_STEPS),
    durationMs: z.int().nonnegative().optional(),
    errorCode: z.string().max(100).optional(),
    ...shape,
  });

/** A provider's button, or Google One Tap. */
const LoginMethod = z.enum([...LOGIN_PROVIDERS, 'one_tap']);

const MediaType = z.enum(['image', 'video']);

/** `method`: by card or wallet. */
const purchase = { priceId: z.string().max(200), method: z.enum(['card', 'wallet']) };

/** Data by event. Keys of the data keep their case on the wire. Names in snake case are those of spec 2, section 4. */
export const TRACKING_EVENTS = {
  login: operation({ method: LoginMethod }),
  accountLinking: operation({ provider: z.enum(LOGIN_PROVIDERS) }),
  logout: operation({}),
  onboardingMigration: operation({}),
  /** From the pressed button until the payment page or form has opened. */
  checkout: operation(purchase),
  /** From the payment page or form until the purchase is granted. */
  payment: operation(purchase),
  /** Of a running subscription to another plan or period. */
  upgrade: operation(purchase),
  /** From the chosen files until they are stored and accepted. */
  upload: operation({ mediaType: MediaType, files: z.int() }),
  process: operation({ mediaType: MediaType }),
  /** The file of a result, its original, or an archive of several. */
  download: operation({ file: z.enum(['result', 'original', 'archive']) }),
  /** The making of a public link. */
  share: operation({}),
  cancel: operation({ what: z.enum(['upload', 'processing', 'subscription']) }),
  /** `priceIds` are the prices shown, or the one accepted; `previousAction` opened the paywall. */
  paywall: z.object({
    action: z.enum(['shown', 'accepted', 'dismissed']),
    previousAction: z.string().nullable(),
    priceIds: z.array(z.string()),
  }),
  /** A paid purchase, for advertising; sent with consent only. The value is fixed (spec 1, section 9). */
  purchase: z.object({ value: z.literal(AD_PAYMENT_VALUE), currency: z.literal('USD') }),
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
  /** A chosen file can't be enhanced. `found`: the format of one that is no photo, if known. */
  bulk_upload_format: z.object({
    reason: z.enum(['wrong_file_format', 'empty', 'too_many_pixels', 'too_many_frames', 'unreadable', 'layers_only']),
    found: z.string().nullable(),
  }),
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

/** Kinds that start and end. */
export type OperationKind = {
  [Kind in TrackingKind]: TrackingData<Kind> extends { operation: OperationStep } ? Kind : never;
}[TrackingKind];
/** What an operation is about: its data without steps. */
export type OperationDetails<Kind extends OperationKind> = Omit<
  TrackingData<Kind>,
  'operation' | 'durationMs' | 'errorCode'
>;
