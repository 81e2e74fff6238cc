import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { BulkUpload, Task } from './task.js';
import { VideoTask } from './videos.js';
import { ADDRESS_ERRORS, WebhookUrl } from './webhook-url.js';

/** Endpoints of one account. */
export const WEBHOOK_ENDPOINTS_MAX = 10;

/** Most deliveries of a page of the log. */
export const WEBHOOK_DELIVERIES_MAX = 50;

/** Events that an endpoint can choose (decisions, section 9). A video has no events of tasks. */
export const WEBHOOK_EVENT_TYPES = [
  'task.completed',
  'task.failed',
  'batch.completed',
  'video.completed',
  'video.failed',
  'usage.threshold',
] as const;
/** One of {@link WEBHOOK_EVENT_TYPES}. */
export const WebhookEventType = z.enum(WEBHOOK_EVENT_TYPES);
export type WebhookEventType = z.infer<typeof WebhookEventType>;

/** What is sent on request, whatever an endpoint has chosen. */
export const WEBHOOK_TEST = 'endpoint.test';

/** Types of everything that is delivered. */
export const WEBHOOK_MESSAGE_TYPES = [...WEBHOOK_EVENT_TYPES, WEBHOOK_TEST] as const;
export type WebhookMessageType = (typeof WEBHOOK_MESSAGE_TYPES)[number];

/** An account's use of a limit of a period. */
export const UsageThreshold = z
  .object({
    keyId: z.uuid().nullable().describe('The key whose own limit it is; null for the limit of the account.'),
    limit: z.int().positive().describe('Pictures and videos that the period allows.'),
    used: z.int().nonnegative().describe('Pictures and videos used when the threshold was passed.'),
    percent: z.int().describe('The threshold in percent of the limit: 80 or 100.'),
    resetsAt: z.iso.datetime().describe('When the next period begins.'),
  })
  .meta({ id: 'UsageThreshold' });
export type UsageThreshold = z.infer<typeof UsageThreshold>;

const message = <Type extends WebhookMessageType, Data extends z.ZodType>(type: Type, data: Data, summary: string) =>
  z
    .object({
      type: z.literal(type).describe('What happened.'),
      timestamp: z.iso.datetime().describe('When it happened.'),
      data: data.describe('What it is about, as the matching GET answers it.'),
    })
    .describe(summary);

/**
 * Bodies by type. `data` is what the matching GET answers at the time of the attempt, so that its signed addresses are
 * valid; several attempts of a message can differ in it.
 */
export const WEBHOOK_MESSAGES = {
  'task.completed': message('task.completed', Task, 'A picture has a new result.'),
  'task.failed': message('task.failed', Task, 'A picture was refused or its processing failed; see `error_code`.'),
  'batch.completed': message('batch.completed', BulkUpload, 'Every picture of an upload of several is final.'),
  'video.completed': message('video.completed', VideoTask, 'A video has a new result.'),
  'video.failed': message('video.failed', VideoTask, 'A video was refused or its processing failed; see `error_code`.'),
  'usage.threshold': message('usage.threshold', UsageThreshold, 'A limit is used to 80 or 100 percent.'),
  'endpoint.test': message(
    'endpoint.test',
    z.object({ endpointId: z.uuid().describe('The endpoint that is tested.') }),
    'Sent on request, to try an endpoint.',
  ),
} as const satisfies Record<WebhookMessageType, z.ZodType>;

/** Why an endpoint gets nothing. */
export const WEBHOOK_DISABLED_REASONS = ['owner', 'gone', 'failing', 'operator'] as const;

const EndpointId = z.uuid().describe('Id of the endpoint.');

/** Where an account receives events, without its secret. */
export const WebhookEndpoint = z
  .object({
    id: EndpointId,
    url: WebhookUrl,
    events: z.array(WebhookEventType).describe('The chosen types.'),
    isEnabled: z.boolean().describe('Whether events are sent.'),
    disabledReason: z
      .enum(WEBHOOK_DISABLED_REASONS)
      .nullable()
      .describe(
        '`owner` or `operator` (we) switched it off, it answered 410 (`gone`), or it was `failing` for five days; null: enabled.',
      ),
    failingSince: z.iso.datetime().nullable().describe('The first failure since the last success; null: none.'),
    previousSecretExpiresAt: z.iso
      .datetime()
      .nullable()
      .describe('Until then messages carry a signature with the secret before, too; null: one signature.'),
    createdAt: z.iso.datetime().describe('When it was added.'),
  })
  .meta({ id: 'WebhookEndpoint' });
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

/** Shown once: it is stored encrypted. */
const Secret = z.string().describe('Signs the messages: `whsec_` and 32 random bytes in base64. Shown only here.');

/** An endpoint and the only answer with its first secret. */
export const CreatedWebhookEndpoint = WebhookEndpoint.extend({ secret: Secret }).meta({ id: 'CreatedWebhookEndpoint' });
export type CreatedWebhookEndpoint = z.infer<typeof CreatedWebhookEndpoint>;

/** A new secret. */
export const RolledWebhookSecret = z
  .object({
    secret: Secret,
    previousSecretExpiresAt: z.iso
      .datetime()
      .nullable()
      .describe('Until then messages carry a signature with the secret before, too; null: there was none.'),
  })
  .meta({ id: 'RolledWebhookSecret' });
export type RolledWebhookSecret = z.infer<typeof RolledWebhookSecret>;

const events = z
  .array(WebhookEventType)
  .min(1)
  .transform((types) => WEBHOOK_EVENT_TYPES.filter((type) => types.includes(type)))
  .describe('Types to send.');

/** A new endpoint. */
export const CreateWebhookEndpoint = z
  .object({ url: WebhookUrl, events: events.default([...WEBHOOK_EVENT_TYPES]).describe('Types to send; absent: all.') })
  .meta({ id: 'CreateWebhookEndpoint' });
export type CreateWebhookEndpoint = z.infer<typeof CreateWebhookEndpoint>;

/** The whole choice of an endpoint. */
export const UpdateWebhookEndpoint = z
  .object({ url: WebhookUrl, events, isEnabled: z.boolean().describe('Whether events are sent.') })
  .meta({ id: 'UpdateWebhookEndpoint' });
export type UpdateWebhookEndpoint = z.infer<typeof UpdateWebhookEndpoint>;

/**
 * `pending` is tried again; `failed` was not accepted within a day, or by an endpoint that is gone; `skipped` was not
 * sent: see {@link WEBHOOK_SKIP_REASONS}.
 */
export const WEBHOOK_DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'skipped'] as const;
export type WebhookDeliveryStatus = (typeof WEBHOOK_DELIVERY_STATUSES)[number];

/** `disabled`: the endpoint; `deleted`: the task; `not_in_plan`: the account. */
export const WEBHOOK_SKIP_REASONS = ['disabled', 'deleted', 'not_in_plan'] as const;
export type WebhookSkipReason = (typeof WEBHOOK_SKIP_REASONS)[number];

/** A request of a delivery and its answer. */
export const WebhookAttempt = z
  .object({
    at: z.iso.datetime().describe('When the request was made.'),
    status: z.int().nullable().describe('HTTP status of the answer; null without one.'),
    error: z
      .enum(['address_refused', 'unreachable', 'timed_out'])
      .nullable()
      .describe('Why there is no answer; null: there is one.'),
    answer: z.string().describe('Start of the answer’s body, at most 1,000 characters.'),
    durationMs: z.int().nonnegative().describe('Milliseconds to the answer or the failure.'),
  })
  .meta({ id: 'WebhookAttempt' });
export type WebhookAttempt = z.infer<typeof WebhookAttempt>;

/** A message for one address, kept for 30 days. */
export const WebhookDelivery = z
  .object({
    id: z.uuid().describe('Id of the delivery.'),
    messageId: z.uuid().describe('The `webhook-id`: the same in every attempt and for every endpoint of an event.'),
    endpointId: z.uuid().nullable().describe('The endpoint; null for the `callback_url` of a request.'),
    url: z.string().describe('Where it goes.'),
    type: z.enum(WEBHOOK_MESSAGE_TYPES).describe('What happened.'),
    status: z.enum(WEBHOOK_DELIVERY_STATUSES).describe('`pending` is tried again; the others are final.'),
    skipReason: z
      .enum(WEBHOOK_SKIP_REASONS)
      .nullable()
      .describe('Why it was not sent: the endpoint is disabled, the task deleted, or the plan without webhooks.'),
    request: z
      .string()
      .nullable()
      .describe('Body of the last attempt, at most 20,000 characters; null before the first.'),
    attempts: z.array(WebhookAttempt).describe('Oldest first.'),
    nextAttemptAt: z.iso.datetime().nullable().describe('When it is tried next; null: never.'),
    createdAt: z.iso.datetime().describe('When the event happened.'),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

const endpointParams = z.object({ endpointId: EndpointId });
const MANAGE_ERRORS = ['webhook_endpoints.not_in_plan', 'webhook_endpoints.not_found'] as const;

/** Events sent to customers. Managed by login only: what a key can do must not redirect what the account receives. */
export const webhookRoutes = {
  listWebhookEndpoints: defineRoute({
    method: 'GET',
    path: '/webhook-endpoints',
    tag: 'webhooks',
    summary: 'List webhook endpoints',
    description: 'Returns the endpoints of the account, oldest first.',
    allow: 'account',
    responses: {
      200: z
        .object({
          data: z.array(WebhookEndpoint).describe('At most 10.'),
          callbackSecretCreatedAt: z.iso
            .datetime()
            .nullable()
            .describe('When the secret of `callback_url` was last made; null: never shown.'),
        })
        .meta({ id: 'WebhookEndpointList' }),
    },
    errors: [],
    limit: 'reads',
  }),
  createWebhookEndpoint: defineRoute({
    method: 'POST',
    path: '/webhook-endpoints',
    tag: 'webhooks',
    summary: 'Add a webhook endpoint',
    description: 'Adds an address that receives events. Its secret is shown only in this response.',
    allow: 'account',
    body: CreateWebhookEndpoint,
    responses: { 201: CreatedWebhookEndpoint },
    /** `details` of `webhook_endpoints.limit_reached` are `{limit}`. */
    errors: ['webhook_endpoints.not_in_plan', 'webhook_endpoints.limit_reached', ...ADDRESS_ERRORS],
    limit: 'writes',
    idempotent: true,
  }),
  updateWebhookEndpoint: defineRoute({
    method: 'PUT',
    path: '/webhook-endpoints/:endpointId',
    tag: 'webhooks',
    summary: 'Change a webhook endpoint',
    description: 'Changes the address and types of an endpoint, or switches it off or on.',
    allow: 'account',
    params: endpointParams,
    body: UpdateWebhookEndpoint,
    responses: { 200: WebhookEndpoint },
    errors: [...MANAGE_ERRORS, ...ADDRESS_ERRORS],
    limit: 'writes',
  }),
  deleteWebhookEndpoint: defineRoute({
    method: 'DELETE',
    path: '/webhook-endpoints/:endpointId',
    tag: 'webhooks',
    summary: 'Delete a webhook endpoint',
    description: 'Deletes an endpoint and the log of its deliveries.',
    allow: 'account',
    params: endpointParams,
    responses: { 204: null },
    errors: ['webhook_endpoints.not_found'],
    limit: 'writes',
  }),
  rollWebhookSecret: defineRoute({
    method: 'POST',
    path: '/webhook-endpoints/:endpointId/secret',
    tag: 'webhooks',
    summary: 'Replace the secret of an endpoint',
    description: 'Makes a new secret. For a day messages are signed with both.',
    allow: 'account',
    params: endpointParams,
    responses: { 201: RolledWebhookSecret },
    errors: MANAGE_ERRORS,
    limit: 'writes',
    idempotent: true,
  }),
  rollCallbackSecret: defineRoute({
    method: 'POST',
    path: '/webhook-callbacks/secret',
    tag: 'webhooks',
    summary: 'Replace the callback secret',
    description:
      'Makes the secret that signs messages to a `callback_url`. For a day they are signed with the one before, too.',
    allow: 'account',
    responses: { 201: RolledWebhookSecret },
    errors: [],
    limit: 'writes',
    idempotent: true,
  }),
  testWebhookEndpoint: defineRoute({
    method: 'POST',
    path: '/webhook-endpoints/:endpointId/test',
    tag: 'webhooks',
    summary: 'Test a webhook endpoint',
    description: 'Sends the event `endpoint.test`.',
    allow: 'account',
    params: endpointParams,
    responses: { 202: WebhookDelivery },
    errors: [...MANAGE_ERRORS, 'webhook_endpoints.disabled'],
    limit: 'writes',
    idempotent: true,
  }),
  listWebhookDeliveries: defineRoute({
    method: 'GET',
    path: '/webhook-deliveries',
    tag: 'webhooks',
    summary: 'List webhook deliveries',
    description: 'Returns deliveries of the last 30 days, newest first.',
    allow: 'account',
    query: z.object({
      endpointId: z.uuid().optional().describe('Of this endpoint; absent: of all and of callbacks.'),
      type: z.enum(WEBHOOK_MESSAGE_TYPES).optional().describe('Of this type; absent: of all.'),
      status: z.enum(WEBHOOK_DELIVERY_STATUSES).optional().describe('With this status; absent: with any.'),
      limit: z.coerce.number().int().min(1).max(WEBHOOK_DELIVERIES_MAX).default(20).describe('Most of a page.'),
      startingAfter: z.uuid().optional().describe('Id of a page’s last delivery, to get the next page.'),
    }),
    responses: {
      200: z
        .object({
          data: z.array(WebhookDelivery).describe('Newest first.'),
          hasMore: z.boolean().describe('Whether there are older ones.'),
        })
        .meta({ id: 'WebhookDeliveryList' }),
    },
    errors: ['webhook_endpoints.not_found', 'webhook_deliveries.not_found'],
    limit: 'reads',
  }),
  resendWebhookDelivery: defineRoute({
    method: 'POST',
    path: '/webhook-deliveries/:deliveryId/resend',
    tag: 'webhooks',
    summary: 'Send a message again',
    description: 'Sends the message of a delivery again, with the same `webhook-id`.',
    allow: 'account',
    params: z.object({ deliveryId: z.uuid().describe('Id of the delivery.') }),
    responses: { 202: WebhookDelivery },
    errors: ['webhook_deliveries.not_found', 'webhook_endpoints.disabled'],
    limit: 'writes',
    idempotent: true,
  }),
} as const;
