import { inMilliseconds } from '@clearframe/contract';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import PQueue from 'p-queue';
import type { ProviderEvent } from '../billing/providers/port/payment-provider.js';
import { ProviderEventProcessor } from '../billing/reconciliation/provider-event-processor.js';
import {
  type DueWork,
  OUTAGE_BACKOFF,
  OUTAGE_MAX_ATTEMPTS,
  Revisit,
  SchedulesWork,
  type WorkSource,
} from '../platform/schedule/work.js';
import { WebhookEventRepository } from './webhook-event.repository.js';

/** Longer than any provider repeats an event. */
const RETENTION = '60 days';
/** Concurrent events in one process right after their arrival; scheduled work processes the rest. */
export const PROCESSED_AT_ONCE = 4;
const MAX_WAITING = 100;
/** Before that, the process that received the event processes it. */
const GRACE = '5 seconds';
const REVISIT_MS = inMilliseconds.seconds(5);

/** Stores each event once and processes it, at once or as scheduled work. */
@SchedulesWork()
@Injectable()
export class WebhooksService implements WorkSource, OnApplicationShutdown {
  readonly scheduledWork: readonly DueWork[] = [
    {
      kind: 'webhooks.process',
      everyMs: inMilliseconds.seconds(3),
      timeoutMs: inMilliseconds.minutes(1),
      concurrency: PROCESSED_AT_ONCE,
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
  private readonly queue = new PQueue({ concurrency: PROCESSED_AT_ONCE });

  constructor(
    private readonly repository: WebhookEventRepository,
    private readonly events: ProviderEventProcessor,
  ) {}

  /** Stores an event. False for one that was received before. */
  receive(sender: string, event: ProviderEvent): Promise<boolean> {
    return this.repository.insert(sender, event);
  }

  /** Processes an event in the background; failures and overload are left to scheduled work. */
  processSoon(sender: string, eventId: string): void {
    if (this.queue.size >= MAX_WAITING) return;
    void this.queue
      .add(() => this.process(sender, eventId))
      .catch((error: Error) => this.logger.warn(`event left to scheduled work: ${error.message}`));
  }

  async purge(): Promise<void> {
    await this.repository.purge(RETENTION);
  }

  private async process(sender: string, eventId: string): Promise<Revisit | null> {
    const event = await this.repository.find(sender, eventId);
    if (!event || event.processedAt) return null;
    const { provider, subjectKind, subjectId, receivedAt } = event;
    const waitedMs = Math.max(0, Date.now() - receivedAt.getTime());
    const isDone =
      !provider ||
      !subjectKind ||
      !subjectId ||
      (await this.events.process(provider, subjectKind, subjectId, waitedMs));
    if (!isDone) return new Revisit(REVISIT_MS);
    await this.repository.markProcessed(sender, eventId);
    return null;
  }

  /** Waits for running events; the others are stored. */
  async onApplicationShutdown(): Promise<void> {
    this.queue.clear();
    await Promise.race([
      this.queue.onIdle(),
      new Promise((resolve) => setTimeout(resolve, inMilliseconds.seconds(2)).unref()),
    ]);
  }
}
