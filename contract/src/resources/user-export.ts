import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { LOCALES } from '../locales/locales.js';
import { MEDIA_TYPES } from '../media/types.js';
import { AiPipeline } from '../pipeline/tools.js';
import { CONSENT_KINDS } from './consents.js';
import { KEY_KINDS } from './plugin-keys.js';
import { TaskOutput } from './task.js';
import { User } from './users.js';
import { EligibilityLimits } from './videos.js';

const Time = z.iso.datetime();

/** A purchase of downloads. Amounts in cents. */
const ExportedPayment = z.object({
  provider: z.string(),
  /** The provider's; null while it has not answered. */
  paymentId: z.string().nullable(),
  priceId: z.string(),
  exports: z.int(),
  amountCents: z.int(),
  currency: z.string(),
  taskId: z.uuid().nullable(),
  status: z.string(),
  refundedCents: z.int(),
  isDisputed: z.boolean(),
  /** A second payment for the same photo, which was refunded. */
  isDuplicate: z.boolean(),
  /** Address reported by the wallet. */
  payerEmail: z.string().nullable(),
  createdAt: Time,
  settledAt: Time.nullable(),
});

/** Amounts in cents. */
const ExportedSubscription = z.object({
  provider: z.string(),
  subscriptionId: z.string().nullable(),
  priceId: z.string(),
  introPriceId: z.string().nullable(),
  paymentMethodId: z.string().nullable(),
  status: z.string(),
  currentPeriodStart: Time.nullable(),
  currentPeriodEnd: Time.nullable(),
  trialEnd: Time.nullable(),
  cancelAtPeriodEnd: z.boolean(),
  canceledAt: Time.nullable(),
  /** For the current period, less refunds. */
  paidCents: z.int(),
  currency: z.string(),
  isDisputed: z.boolean(),
  /** Credits given up for the subscription. */
  forfeitCredits: z.int(),
  forfeitedAt: Time.nullable(),
  createdAt: Time,
  endedAt: Time.nullable(),
});

/** A started checkout, paid or not. */
const ExportedCheckout = z.object({
  provider: z.string(),
  kind: z.string(),
  priceId: z.string(),
  introPriceId: z.string().nullable(),
  trial: z.boolean(),
  taskId: z.uuid().nullable(),
  /** Downloads of a pack, or credits given up for a subscription. */
  unlockedExports: z.int(),
  /** Left by a guest for the receipt. */
  receiptEmail: z.string().nullable(),
  createdAt: Time,
});

/** A change of plan or period, with its refund in cents. Ids are the provider's. */
const ExportedUpgrade = z.object({
  fromSubscriptionId: z.string().nullable(),
  toSubscriptionId: z.string().nullable(),
  step: z.string(),
  refundCents: z.int(),
  refundedCents: z.int().nullable(),
  createdAt: Time,
});

/** A charge of a purchase or a subscription period. */
const ExportedReceipt = z.object({
  number: z.string(),
  paymentId: z.string().nullable(),
  subscriptionId: z.string().nullable(),
  priceId: z.string(),
  amountCents: z.int(),
  currency: z.string(),
  chargedAt: Time,
});

/** Pixels and seconds; null where unknown. */
const VideoSize = z.object({
  width: z.number().nullable(),
  height: z.number().nullable(),
  duration: z.number().nullable(),
});

/** A picture or video with its results. URLs are signed and short-lived. */
const ExportedTask = z.object({
  taskId: z.uuid(),
  bulkUploadId: z.uuid(),
  mediaType: z.enum(MEDIA_TYPES),
  /** Size read from the file, and `declared` by the client. Null for a picture. */
  video: VideoSize.extend({ eligibilityLimits: EligibilityLimits, declared: VideoSize }).nullable(),
  status: z.string(),
  fileName: z.string().nullable(),
  contentType: z.string(),
  sizeBytes: z.int().nullable(),
  /** SHA-256 of the stored original, in lowercase hex; see `sha256` of `TaskInput`. */
  sha256: z.string().nullable(),
  /** SHA-256 declared by the client. */
  declaredSha256: z.string().nullable(),
  aiPipeline: AiPipeline,
  outputContentType: z.string(),
  jpegQuality: z.int(),
  keepLocation: z.boolean(),
  errorCode: z.string().nullable(),
  createdAt: Time,
  expiresAt: Time,
  /** When the clean download was paid for. */
  exportedAt: Time.nullable(),
  inputUrl: z.url().nullable(),
  outputs: z.array(TaskOutput),
  /** Downloads and conversions to other formats. */
  renditions: z.array(
    z.object({
      contentType: z.string(),
      jpegQuality: z.int().nullable(),
      isExport: z.boolean(),
      status: z.enum(['pending', 'ready', 'failed']),
      createdAt: Time,
    }),
  ),
});

const ExportedMail = z.object({
  /** Null before kinds were recorded. */
  kind: z.string().nullable(),
  recipient: z.string(),
  subject: z.string(),
  /** Null if it holds a code or private link. */
  text: z.string().nullable(),
  createdAt: Time,
  sentAt: Time.nullable(),
});

/** Everything stored about a user, without secrets (codes, keys, tokens). */
export const UserExport = z
  .object({
    exportedAt: Time,
    user: User,
    profile: z.object({ language: z.enum(LOCALES).nullable(), isEmailVerified: z.boolean() }),
    sessions: z.array(z.object({ createdAt: Time, expiresAt: Time, endedAt: Time.nullable() })),
    /** Transfers from an onboarding funnel. */
    onboardings: z.array(z.object({ createdAt: Time, usedAt: Time.nullable() })),
    /** Every answer, oldest first. */
    consents: z.array(
      z.object({
        kind: z.enum(CONSENT_KINDS),
        isGranted: z.boolean(),
        requestUrl: z.string().nullable(),
        createdAt: Time,
      }),
    ),
    tasks: z.array(ExportedTask),
    /** Public links, also expired ones. */
    sharings: z.array(z.object({ taskId: z.uuid(), url: z.url(), createdAt: Time, expiresAt: Time })),
    payments: z.array(ExportedPayment),
    subscriptions: z.array(ExportedSubscription),
    checkouts: z.array(ExportedCheckout),
    upgrades: z.array(ExportedUpgrade),
    /** Charges of purchases and subscription periods. */
    receipts: z.array(ExportedReceipt),
    /** The balance is the sum of the amounts. */
    creditEntries: z.array(
      z.object({
        entryId: z.string(),
        amount: z.int(),
        reason: z.string(),
        taskId: z.uuid().nullable(),
        createdAt: Time,
      }),
    ),
    downloads: z.array(
      z.object({
        taskId: z.uuid(),
        source: z.string(),
        periodStart: Time.nullable(),
        isKept: z.boolean(),
        createdAt: Time,
      }),
    ),
    trials: z.array(z.object({ fingerprint: z.string().nullable(), createdAt: Time })),
    giftRedemptions: z.array(z.object({ codeId: z.uuid(), startsAt: Time, expiresAt: Time, createdAt: Time })),
    videoUses: z.array(
      z.object({
        taskId: z.uuid(),
        /** Monday of the week. */
        week: z.iso.date(),
        sizeBytes: z.int(),
        seconds: z.number(),
        isKept: z.boolean(),
        createdAt: Time,
      }),
    ),
    providerCustomers: z.array(z.object({ provider: z.string(), customerId: z.string(), createdAt: Time })),
    mail: z.array(ExportedMail),
    /** Usage events sent with consent, oldest first. */
    events: z.array(
      z.object({
        eventId: z.uuid(),
        /** Random id of the browser. */
        clientId: z.string().nullable(),
        /** Further ids, by name. */
        ids: z.record(z.string(), z.string()),
        type: z.string(),
        subtype: z.string().nullable(),
        kind: z.string(),
        data: z.record(z.string(), z.unknown()),
        info: z.record(z.string(), z.unknown()),
        occurredAt: Time,
      }),
    ),
    /** Random ids of browsers that experiments were assigned to. */
    localStorageIds: z.array(z.object({ localStorageId: z.string(), createdAt: Time })),
    /** Segments that staff chose for these browsers; null: out of the experiment. */
    forcedSegments: z.array(z.object({ experimentId: z.string(), segmentId: z.string().nullable(), createdAt: Time })),
    /** Revoked ones too, oldest first. */
    pluginKeys: z.array(
      z.object({
        kind: z.enum(KEY_KINDS),
        prefix: z.string(),
        deviceId: z.string().nullable(),
        createdAt: Time,
        lastUsedAt: Time.nullable(),
        revokedAt: Time.nullable(),
      }),
    ),
    /** What keys had enhanced, by day (UTC). `prefix` is null for test pictures that were enhanced again without a key. */
    keyUsage: z.array(
      z.object({
        day: z.iso.date(),
        prefix: z.string().nullable(),
        isTest: z.boolean(),
        pictures: z.int(),
        videos: z.int(),
      }),
    ),
    supportRequests: z.array(
      z.object({
        ticketId: z.uuid(),
        name: z.string(),
        email: z.string(),
        subject: z.string(),
        body: z.string(),
        source: z.string(),
        device: z.string(),
        browser: z.string(),
        eventId: z.string(),
        createdAt: Time,
        sentAt: Time.nullable(),
      }),
    ),
    staffActions: z.array(
      z.object({ action: z.string(), details: z.record(z.string(), z.unknown()), createdAt: Time }),
    ),
  })
  .meta({ id: 'UserExport' });
export type UserExport = z.infer<typeof UserExport>;

/** Download of everything stored about the caller. */
export const userExportRoutes = {
  exportCurrentUser: defineRoute({
    method: 'GET',
    path: '/users/@me/export',
    tag: 'users',
    summary: 'Export everything stored about the user',
    allow: 'session',
    responses: { 200: UserExport },
    errors: [],
    limit: 'reads',
  }),
} as const;
