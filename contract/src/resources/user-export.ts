import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { LOCALES } from '../locales/locales.js';
import { Mask } from '../media/mask.js';
import { MEDIA_TYPES } from '../media/types.js';
import { AiPipeline } from '../pipeline/tools.js';
import { CONSENT_KINDS } from './consents.js';
import { KEY_KINDS, KeyLimits } from './plugin-keys.js';
import { OutputUpload, TaskOutput } from './task.js';
import { ToolCounts } from './usage.js';
import { User } from './users.js';
import { EligibilityLimits } from './videos.js';

const Time = z.iso.datetime();
const CreatedAt = Time.describe('When it was created.');
const ExpiresAt = Time.describe('When it ends or ended.');
const TaskId = z.uuid().describe('Id of the task.');
const Provider = z.string().describe('The payment provider.');
const PriceId = z.string().describe('The provider’s id of the price.');
const AmountCents = z.int().describe('Amount in cents.');
const Currency = z.string().describe('Currency of the amounts.');

/** A purchase of downloads. Amounts in cents. */
const ExportedPayment = z.object({
  provider: Provider,
  paymentId: z.string().nullable().describe('The provider’s id; null while it has not answered.'),
  priceId: PriceId,
  exports: z.int().describe('Downloads that were bought.'),
  amountCents: AmountCents,
  currency: Currency,
  taskId: z.uuid().nullable().describe('Id of the task that it unlocked; null for a pack.'),
  status: z.string().describe('State of the payment.'),
  refundedCents: z.int().describe('Refunded cents.'),
  isDisputed: z.boolean().describe('The payer disputes the payment.'),
  isDuplicate: z.boolean().describe('A second payment for the same photo, which was refunded.'),
  payerEmail: z.string().nullable().describe('Address reported by the wallet.'),
  createdAt: CreatedAt,
  settledAt: Time.nullable().describe('When it was settled; null while it is open.'),
});

/** Amounts in cents. */
const ExportedSubscription = z.object({
  provider: Provider,
  subscriptionId: z.string().nullable().describe('The provider’s id; null while it has not answered.'),
  priceId: PriceId,
  introPriceId: z.string().nullable().describe('Id of the price of the first week; null without one.'),
  paymentMethodId: z.string().nullable().describe('The provider’s id of the payment method; null without one.'),
  status: z.string().describe('State of the subscription.'),
  currentPeriodStart: Time.nullable().describe('Start of the paid period.'),
  currentPeriodEnd: Time.nullable().describe('End of the paid period.'),
  trialEnd: Time.nullable().describe('End of the free trial; null without one.'),
  cancelAtPeriodEnd: z.boolean().describe('It ends with its period.'),
  canceledAt: Time.nullable().describe('When it was cancelled; null unless it was.'),
  paidCents: z.int().describe('Cents paid for the current period, less refunds.'),
  currency: Currency,
  isDisputed: z.boolean().describe('The payer disputes a charge.'),
  forfeitCredits: z.int().describe('Downloads given up for the subscription.'),
  forfeitedAt: Time.nullable().describe('When they were given up; null unless they were.'),
  createdAt: CreatedAt,
  endedAt: Time.nullable().describe('When it ended; null while it runs.'),
});

/** A started checkout, paid or not. */
const ExportedCheckout = z.object({
  provider: Provider,
  kind: z.string().describe('What was to be bought.'),
  priceId: PriceId,
  introPriceId: z.string().nullable().describe('Id of the price of the first week; null without one.'),
  trial: z.boolean().describe('With a free trial.'),
  taskId: z.uuid().nullable().describe('Id of the task to unlock; null without one.'),
  unlockedExports: z.int().describe('Downloads of a pack, or downloads given up for a subscription.'),
  receiptEmail: z.string().nullable().describe('Address that a guest left for the receipt.'),
  createdAt: CreatedAt,
});

/** A change of plan or period, with its refund in cents. Ids are the provider's. */
const ExportedUpgrade = z.object({
  fromSubscriptionId: z.string().nullable().describe('The provider’s id of the old subscription.'),
  toSubscriptionId: z.string().nullable().describe('The provider’s id of the new subscription.'),
  step: z.string().describe('How far the change has come.'),
  refundCents: z.int().describe('Cents to refund.'),
  refundedCents: z.int().nullable().describe('Refunded cents; null before the refund.'),
  createdAt: CreatedAt,
});

/** A charge of a purchase or a subscription period. */
const ExportedReceipt = z.object({
  number: z.string().describe('Number of the receipt.'),
  paymentId: z.string().nullable().describe('The provider’s id of the payment; null for a subscription.'),
  subscriptionId: z.string().nullable().describe('The provider’s id of the subscription; null for a purchase.'),
  priceId: PriceId,
  amountCents: AmountCents,
  currency: Currency,
  chargedAt: Time.describe('When it was charged.'),
});

/** Pixels and seconds; null where unknown. */
const VideoSize = z.object({
  width: z.number().nullable().describe('Width in pixels; null where it is unknown.'),
  height: z.number().nullable().describe('Height in pixels; null where it is unknown.'),
  duration: z.number().nullable().describe('Length in seconds; null where it is unknown.'),
});

/** A picture or video with its results. URLs are signed and short-lived. */
const ExportedTask = z.object({
  taskId: TaskId,
  bulkUploadId: z.uuid().describe('Id of its upload.'),
  mediaType: z.enum(MEDIA_TYPES).describe('Kind of the task.'),
  video: VideoSize.extend({
    eligibilityLimits: EligibilityLimits.describe('Limits that the client sent.'),
    declared: VideoSize.describe('Size declared by the client.'),
  })
    .nullable()
    .describe('Size of a video, read from the file; null for a picture.'),
  status: z.string().describe('State of the task.'),
  fileName: z.string().nullable().describe('Name of the file; null if none was sent.'),
  contentType: z.string().describe('Media type of the original.'),
  sizeBytes: z.int().nullable().describe('Size in bytes; null until the file has been read.'),
  sha256: z
    .string()
    .nullable()
    .describe('SHA-256 of the stored original, in lowercase hex; null before processing starts.'),
  declaredSha256: z.string().nullable().describe('SHA-256 declared by the client, in lowercase hex.'),
  aiPipeline: AiPipeline.describe('The tools that were requested.'),
  outputContentType: z.string().describe('Media type of the result.'),
  jpegQuality: z.int().describe('Quality of a JPEG result, in percent.'),
  keepLocation: z.boolean().describe('Files keep the location (GPS) of the original.'),
  outputUpload: OutputUpload.nullable().describe('Sending of the first result to an address; null without one.'),
  errorCode: z.string().nullable().describe('Why the task ended without a result; else null.'),
  createdAt: CreatedAt,
  expiresAt: ExpiresAt,
  exportedAt: Time.nullable().describe('When the clean download was paid for; null unless it was.'),
  inputUrl: z.url().nullable().describe('The original. Signed and short-lived; null once it is deleted.'),
  mask: Mask.extend({
    url: z.url().nullable().describe('The file. Signed and short-lived; null once it is deleted.'),
  })
    .nullable()
    .describe('Limits the tools to a part of the picture; null without one.'),
  outputs: z.array(TaskOutput).describe('Results, newest first.'),
  renditions: z
    .array(
      z.object({
        contentType: z.string().describe('Media type.'),
        jpegQuality: z.int().nullable().describe('Quality of a JPEG, in percent; null for other formats.'),
        isExport: z.boolean().describe('The clean download.'),
        status: z.enum(['pending', 'ready', 'failed']).describe('State of the file.'),
        createdAt: CreatedAt,
      }),
    )
    .describe('Downloads and conversions to other formats.'),
});

const ExportedMail = z.object({
  kind: z.string().nullable().describe('Kind of the message; null before kinds were recorded.'),
  recipient: z.string().describe('Address of the recipient.'),
  subject: z.string().describe('Subject.'),
  text: z.string().nullable().describe('The message; null if it holds a code or private link.'),
  createdAt: CreatedAt,
  sentAt: Time.nullable().describe('When it was sent; null unless it was.'),
});

/** Everything stored about a user, without secrets (codes, keys, tokens). */
export const UserExport = z
  .object({
    exportedAt: Time.describe('When the export was made.'),
    user: User.describe('The account.'),
    profile: z
      .object({
        language: z.enum(LOCALES).nullable().describe('Language of mail; null before one is known.'),
        isEmailVerified: z.boolean().describe('The login provider has verified the email address.'),
      })
      .describe('More about the account.'),
    sessions: z
      .array(
        z.object({
          createdAt: CreatedAt,
          expiresAt: ExpiresAt,
          endedAt: Time.nullable().describe('When it was ended; null unless it was.'),
        }),
      )
      .describe('Sessions.'),
    onboardings: z
      .array(
        z.object({ createdAt: CreatedAt, usedAt: Time.nullable().describe('When it was used; null unless it was.') }),
      )
      .describe('Transfers from an onboarding funnel.'),
    consents: z
      .array(
        z.object({
          kind: z.enum(CONSENT_KINDS).describe('Kind of the consent.'),
          isGranted: z.boolean().describe('The answer.'),
          requestUrl: z.string().nullable().describe('Where the user was asked.'),
          createdAt: CreatedAt,
        }),
      )
      .describe('Every answer, oldest first.'),
    tasks: z.array(ExportedTask).describe('Pictures and videos with their results.'),
    sharings: z
      .array(
        z.object({
          taskId: TaskId,
          url: z.url().describe('Address of the shared page.'),
          createdAt: CreatedAt,
          expiresAt: ExpiresAt,
        }),
      )
      .describe('Public links, also expired ones.'),
    payments: z.array(ExportedPayment).describe('Purchases of downloads.'),
    subscriptions: z.array(ExportedSubscription).describe('Subscriptions.'),
    checkouts: z.array(ExportedCheckout).describe('Started checkouts, paid or not.'),
    upgrades: z.array(ExportedUpgrade).describe('Changes of plan or period.'),
    receipts: z.array(ExportedReceipt).describe('Charges of purchases and subscription periods.'),
    creditEntries: z
      .array(
        z.object({
          entryId: z.string().describe('Id of the entry.'),
          amount: z.int().describe('Downloads added, or taken if negative.'),
          reason: z.string().describe('Why.'),
          taskId: z.uuid().nullable().describe('Id of the task that was downloaded; null without one.'),
          createdAt: CreatedAt,
        }),
      )
      .describe('Changes of the balance of downloads, which is the sum of the amounts.'),
    downloads: z
      .array(
        z.object({
          taskId: TaskId,
          source: z.string().describe('What paid for the download.'),
          periodStart: Time.nullable().describe('Start of the plan’s period; null without one.'),
          isKept: z.boolean().describe('The download counts; else it was given back.'),
          createdAt: CreatedAt,
        }),
      )
      .describe('Downloads of the plan that were used.'),
    trials: z
      .array(
        z.object({
          fingerprint: z.string().nullable().describe('Hash of the payment method; null without one.'),
          createdAt: CreatedAt,
        }),
      )
      .describe('Free trials that were used.'),
    giftRedemptions: z
      .array(
        z.object({
          codeId: z.uuid().describe('Id of the code.'),
          startsAt: Time.describe('When the gift starts.'),
          expiresAt: ExpiresAt,
          createdAt: CreatedAt,
        }),
      )
      .describe('Gift codes that were redeemed.'),
    videoUses: z
      .array(
        z.object({
          taskId: TaskId,
          week: z.iso.date().describe('Monday of the week.'),
          sizeBytes: z.int().describe('Bytes used.'),
          seconds: z.number().describe('Seconds used.'),
          isKept: z.boolean().describe('The use counts; else it was given back.'),
          createdAt: CreatedAt,
        }),
      )
      .describe('Use of the video allowance.'),
    providerCustomers: z
      .array(
        z.object({
          provider: Provider,
          customerId: z.string().describe('The provider’s id of the customer.'),
          createdAt: CreatedAt,
        }),
      )
      .describe('Customers at payment providers.'),
    mail: z.array(ExportedMail).describe('Mail to the user.'),
    events: z
      .array(
        z.object({
          eventId: z.uuid().describe('Id of the event.'),
          clientId: z.string().nullable().describe('Random id of the browser.'),
          ids: z.record(z.string(), z.string()).describe('Further ids, by name.'),
          type: z.string().describe('Type of the event.'),
          subtype: z.string().nullable().describe('Subtype of the event.'),
          kind: z.string().describe('Kind of the event.'),
          data: z.record(z.string(), z.unknown()).describe('What happened.'),
          info: z.record(z.string(), z.unknown()).describe('Where it happened.'),
          occurredAt: Time.describe('When it happened.'),
        }),
      )
      .describe('Usage events sent with consent, oldest first.'),
    localStorageIds: z
      .array(z.object({ localStorageId: z.string().describe('Random id of the browser.'), createdAt: CreatedAt }))
      .describe('Random ids of browsers that experiments were assigned to.'),
    forcedSegments: z
      .array(
        z.object({
          experimentId: z.string().describe('Id of the experiment.'),
          segmentId: z.string().nullable().describe('Id of the segment; null: out of the experiment.'),
          createdAt: CreatedAt,
        }),
      )
      .describe('Segments that staff chose for these browsers.'),
    pluginKeys: z
      .array(
        z.object({
          kind: z.enum(KEY_KINDS).describe('Test or live.'),
          prefix: z.string().describe('The start of the key.'),
          name: z.string().nullable().describe('What its owner calls it; null without a name.'),
          scopes: z.array(z.string()).describe('What the key may do.'),
          expiresAt: Time.nullable().describe('When it stops to be valid; null: never.'),
          limits: KeyLimits.describe('What its owner allows it.'),
          deviceId: z.string().nullable().describe('The device that the key is bound to; null for any.'),
          createdAt: CreatedAt,
          lastUsedAt: Time.nullable().describe('When the key was last used; null for a key never used.'),
          lastUsedIp: z.string().nullable().describe('IP address of that use, for 90 days.'),
          revokedAt: Time.nullable().describe('When the key was revoked; null while it is valid.'),
        }),
      )
      .describe('API keys, also revoked ones, oldest first.'),
    keyUsage: z
      .array(
        z.object({
          day: z.iso.date().describe('The day, in UTC.'),
          prefix: z.string().describe('The start of the key.'),
          isTest: z.boolean().describe('Of a test key.'),
          pictures: z.int().describe('Pictures with a result.'),
          videos: z.int().describe('Videos with a result.'),
          megapixels: z.number().describe('Sum of the sizes of the pictures’ results, in megapixels.'),
          failed: z.int().describe('Pictures and videos that were refused or failed.'),
          tools: ToolCounts.describe('The results by tool.'),
        }),
      )
      .describe('What keys had made, by day.'),
    webhookEndpoints: z
      .array(
        z.object({
          url: z.string().describe('Where events are sent.'),
          events: z.array(z.string()).describe('The chosen types.'),
          isEnabled: z.boolean().describe('Whether events are sent.'),
          createdAt: Time.describe('When it was added.'),
        }),
      )
      .describe('Addresses that receive events, oldest first.'),
    webhookDeliveries: z
      .array(
        z.object({
          url: z.string().describe('Where the message was sent.'),
          type: z.string().describe('What happened.'),
          status: z.string().describe('`pending`, `delivered`, `failed` or `skipped`.'),
          createdAt: Time.describe('When it happened.'),
        }),
      )
      .describe('Messages of the last 30 days, oldest first.'),
    supportRequests: z
      .array(
        z.object({
          ticketId: z.uuid().describe('Id of the request.'),
          name: z.string().describe('Name of the sender.'),
          email: z.string().describe('Address for the answer.'),
          subject: z.string().describe('Subject.'),
          body: z.string().describe('The message.'),
          source: z.string().describe('Page or feature that led to the form.'),
          device: z.string().describe('Kind of the device.'),
          browser: z.string().describe('Browser.'),
          eventId: z.string().describe('Id of the error that led to the request.'),
          createdAt: CreatedAt,
          sentAt: Time.nullable().describe('When it was passed on; null unless it was.'),
        }),
      )
      .describe('Requests to customer support.'),
    staffActions: z
      .array(
        z.object({
          action: z.string().describe('What was done.'),
          details: z.record(z.string(), z.unknown()).describe('Its details.'),
          createdAt: CreatedAt,
        }),
      )
      .describe('What staff did with the account.'),
  })
  .meta({ id: 'UserExport' });
export type UserExport = z.infer<typeof UserExport>;

/** Download of everything stored about the caller. */
export const userExportRoutes = {
  exportCurrentUser: defineRoute({
    method: 'GET',
    path: '/users/@me/export',
    tag: 'users',
    summary: 'Export the account',
    description: 'Returns everything stored about the user, without secrets.',
    allow: 'session',
    responses: { 200: UserExport },
    errors: [],
    limit: 'reads',
  }),
} as const;
