import { inMilliseconds, inSeconds, may, WEBHOOK_TIMES } from '@clearframe/contract';
import { Injectable, Logger } from '@nestjs/common';
import {
  type DueWork,
  OUTAGE_BACKOFF,
  OUTAGE_MAX_ATTEMPTS,
  type PeriodicWork,
  SchedulesWork,
  type WorkSource,
} from '../platform/schedule/work.js';
import { UserRoles } from '../users/user-roles.js';
import {
  type WebhookEndpointRow,
  WebhookEndpointsRepository,
} from '../webhook-endpoints/webhook-endpoints.repository.js';
import { WebhookMessagesRepository } from '../webhook-endpoints/webhook-messages.repository.js';
import { WebhookSecrets } from '../webhook-endpoints/webhook-secrets.js';
import { EndpointDisabler } from './endpoint-disabler.js';
import { dueLanes, WebhookDeliveriesRepository, type WebhookDeliveryRow } from './webhook-deliveries.repository.js';
import { WebhookPayloads } from './webhook-payloads.js';
import { ATTEMPT_TIMEOUT_MS, type Sent, WebhookSender } from './webhook-sender.js';

/** The longest `Retry-After` that is waited for. */
const RETRY_AFTER_MAX_MS = inMilliseconds.hours(1);
const GONE = 410;

const RETENTION_SECONDS = inSeconds.days(30);

/** Lanes of each kind at once. Those that fail have places of their own, so that they take none from the others. */
const CONCURRENT_LANES = 50;
/** Requests at once to an address that accepts them. One that fails gets one at a time. */
const CONCURRENT_REQUESTS = 8;
/** More than an attempt with its statements takes. */
const LANE_TIMEOUT_MS = 2 * ATTEMPT_TIMEOUT_MS;

/** See `holdBack`. */
const HOLD_BACK_MS = { step: inMilliseconds.seconds(5), max: inMilliseconds.minutes(1) };

/** The part of a body that the log shows. */
const REQUEST_LENGTH = 20_000;

const schedule = { everyMs: inMilliseconds.seconds(1), maxAttempts: OUTAGE_MAX_ATTEMPTS, backoff: OUTAGE_BACKOFF };

/** Delivers events at least once. Attempts are counted in deliveries; failed work is our own, such as a lost database. */
@SchedulesWork()
@Injectable()
export class WebhookDispatcher implements WorkSource {
  private readonly logger = new Logger(WebhookDispatcher.name);

  readonly scheduledWork: readonly [DueWork, DueWork, DueWork, PeriodicWork] = [
    {
      ...schedule,
      kind: 'webhooks.expand',
      timeoutMs: inMilliseconds.seconds(30),
      concurrency: 4,
      due: () => ({ table: 'webhook_messages', subject: 'id', where: 'expanded_at IS NULL', orderBy: 'seq' }),
      run: (id) => this.messages.expand(id),
    },
    {
      ...schedule,
      kind: 'webhooks.deliver',
      timeoutMs: LANE_TIMEOUT_MS,
      concurrency: CONCURRENT_LANES,
      due: () => dueLanes(false),
      run: (lane, { signal }) => this.deliver(lane, CONCURRENT_REQUESTS, signal),
    },
    {
      ...schedule,
      kind: 'webhooks.retry',
      timeoutMs: LANE_TIMEOUT_MS,
      concurrency: CONCURRENT_LANES,
      due: () => dueLanes(true),
      run: (lane, { signal }) => this.deliver(lane, 1, signal),
    },
    {
      kind: 'retention.webhook-messages',
      everyMs: inMilliseconds.minutes(10),
      timeoutMs: inMilliseconds.minutes(10),
      backoff: { firstMs: inMilliseconds.minutes(1), maxMs: inMilliseconds.hours(1) },
      run: () => this.messages.deleteBefore(RETENTION_SECONDS),
    },
  ];

  constructor(
    private readonly messages: WebhookMessagesRepository,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly secrets: WebhookSecrets,
    private readonly payloads: WebhookPayloads,
    private readonly sender: WebhookSender,
    private readonly roles: UserRoles,
    private readonly disabler: EndpointDisabler,
  ) {}

  private async deliver(lane: string, limit: number, signal: AbortSignal): Promise<void> {
    const due = await this.deliveries.take(lane, limit, LANE_TIMEOUT_MS / inMilliseconds.seconds(1));
    const accepted = await Promise.all(due.map((delivery) => this.attempt(delivery, signal)));
    if (accepted.includes(false)) await this.deliveries.holdBack(lane, HOLD_BACK_MS.step, HOLD_BACK_MS.max);
  }

  /** @returns whether the receiver can be sent more */
  private async attempt(delivery: WebhookDeliveryRow, signal: AbortSignal): Promise<boolean> {
    const [endpoint, message, role] = await Promise.all([
      this.endpoints.find(delivery.endpointId),
      this.messages.find(delivery.messageId),
      this.roles.roleOf(delivery.userId),
    ]);
    // Deleted meanwhile, with the delivery.
    if (!endpoint || !message || !role) return true;
    const skip = (reason: Parameters<WebhookDeliveriesRepository['skip']>[1]) =>
      this.deliveries.skip(delivery, reason).then(() => true);
    if (endpoint.disabledReason) return skip('disabled');
    // What a request asked for when it was accepted is done, also after a change of plan.
    if (endpoint.url !== null && !may({ role, isGuest: false }, 'plugin_key')) return skip('not_in_plan');
    const request = await this.payloads.bodyOf(message, role);
    if (request === null) return skip('deleted');
    const url = endpoint.url ?? delivery.url;
    const sent = await this.sender.send(url, await this.secrets.sign(endpoint, message.id, request), request, signal);
    return this.settle(delivery, endpoint, { sent, url, request: request.slice(0, REQUEST_LENGTH).toWellFormed() });
  }

  private async settle(
    delivery: WebhookDeliveryRow,
    endpoint: WebhookEndpointRow,
    { sent, ...made }: { readonly sent: Sent; readonly url: string; readonly request: string },
  ): Promise<boolean> {
    const { attempt, retryAfterMs } = sent;
    const { id: deliveryId, tries } = delivery;
    this.logger.debug({ deliveryId, status: attempt.status, error: attempt.error }, 'a webhook was attempted');
    if (attempt.status !== null && attempt.status >= 200 && attempt.status < 300) {
      await this.deliveries.recordAttempt(delivery, { ...made, attempt, status: 'delivered', waitMs: null });
      await this.endpoints.recordSuccess(endpoint.id);
      return true;
    }
    const retry = attempt.status === GONE ? undefined : WEBHOOK_TIMES.retries[tries];
    await this.deliveries.recordAttempt(delivery, {
      ...made,
      attempt,
      status: retry === undefined ? 'failed' : 'pending',
      waitMs:
        retry === undefined
          ? null
          : Math.max(inMilliseconds.seconds(retry), Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS)),
    });
    await this.recordFailure(endpoint, attempt.status === GONE);
    return false;
  }

  private async recordFailure(endpoint: WebhookEndpointRow, isGone: boolean): Promise<void> {
    const since = await this.endpoints.recordFailure(endpoint.id);
    if (since === null) return;
    const isTooLong = Date.now() - since.getTime() > inMilliseconds.seconds(WEBHOOK_TIMES.failing);
    if (isGone || isTooLong) await this.disabler.disable(endpoint, isGone ? 'gone' : 'failing', since);
  }
}
