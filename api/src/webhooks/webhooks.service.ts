import { inMilliseconds } from '@clearframe/contract';
import { withTimeout } from '@clearframe/runtime/concurrency';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import PQueue from 'p-queue';
import {
  type DueWork,
  OUTAGE_BACKOFF,
  OUTAGE_MAX_ATTEMPTS,
  RetryLater,
  SchedulesWork,
  type WorkSource,
} from '../platform/schedule/work.js';
import type { ProviderEvent } from '../providers/payment-provider.js';
import { ProviderEventProcessor } from '../reconciliation/provider-event-processor.js';
import { WebhookEventRepository } from './webhook-event.repository.js';

/** Longer than any provider retries an event. */
const RETENTION = '60 days';
/** Events processed concurrently by one process on arrival; scheduled work processes the rest. */
export const CONCURRENCY = 4;
const MAX_QUEUED = 100;
/** Time that an event is left to the process that received it. */
const GRACE = '5 seconds';
const RETRY_MS = inMilliseconds.seconds(5);
const SHUTDOWN_MS = inMilliseconds.seconds(2);

@SchedulesWork()
@Injectable()
export class WebhooksService implements WorkSource, OnApplicationShutdown {
  readonly scheduledWork: readonly DueWork[] = [
    {
      kind: 'webhooks.process',
      everyMs: inMilliseconds.seconds(3),
      timeoutMs: inMilliseconds.minutes(1),
      concurrency: CONCURRENCY,
      maxAttempts: OUTAGE_MAX_ATTEMPTS,
      backoff: OUTAGE_BACKOFF,
      due: () => ({
        table: 'webhook_events',
        subject: `sender || ' ' || event_id`,
        where: `processed_at IS NULL AND received_at < now() - interval '${GRACE}'`,
        orderBy: 'received_at',
      }),
      run: (subject) => {
        const [sender = '', eventId = ''] = subject.split(' ');
        return this.process(sender, eventId);
      },
    },
  ];
  private readonly logger = new Logger(WebhooksService.name);
  private readonly queue = new PQueue({ concurrency: CONCURRENCY });

  constructor(
    private readonly repository: WebhookEventRepository,
    private readonly events: ProviderEventProcessor,
  ) {}

  receive(sender: string, event: ProviderEvent): Promise<boolean> {
    return this.repository.insert(sender, event);
  }

  /** Leaves failures and overload to scheduled work. */
  processInBackground(sender: string, eventId: string): void {
    if (this.queue.size >= MAX_QUEUED) return;
    void this.queue
      .add(() => this.process(sender, eventId))
      .catch((error: Error) => this.logger.warn(`event left to scheduled work: ${error.message}`));
  }

  async purge(): Promise<void> {
    await this.repository.purge(RETENTION);
  }

  private async process(sender: string, eventId: string): Promise<RetryLater | null> {
    const event = await this.repository.find(sender, eventId);
    if (!event || event.processedAt) return null;
    const { provider, subjectKind, subjectId, receivedAt } = event;
    const waitedMs = Math.max(0, Date.now() - receivedAt.getTime());
    const isDone =
      !provider ||
      !subjectKind ||
      !subjectId ||
      (await this.events.process(provider, subjectKind, subjectId, waitedMs));
    if (!isDone) return new RetryLater(RETRY_MS);
    await this.repository.markProcessed(sender, eventId);
    return null;
  }

  /** Queued events are stored and need no wait. */
  async onApplicationShutdown(): Promise<void> {
    this.queue.clear();
    await withTimeout(this.queue.onIdle(), SHUTDOWN_MS, () => undefined);
  }
}
