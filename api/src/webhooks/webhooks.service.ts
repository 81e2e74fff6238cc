import { inMilliseconds } from '@clearframe/contract';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import PQueue from 'p-queue';
import { DataSource } from 'typeorm';
import type { ProviderEvent } from '../billing/providers/port/payment-provider.js';
import { ProviderEventProcessor } from '../billing/reconciliation/provider-event-processor.js';
import {
  type DueWork,
  PATIENT_ATTEMPTS,
  PATIENT_BACKOFF,
  Revisit,
  SchedulesWork,
  type WorkSource,
} from '../platform/schedule/work.js';
import { WebhookEventRow } from './webhook-event.entity.js';

/** Longer than any provider repeats an event. */
const KEPT = '60 days';
/** Events processed at the same time right after they arrived, in one process; the rest wait for scheduled work. */
export const PROCESSED_AT_ONCE = 4;
const MAX_WAITING = 100;
/** Until then an event belongs to the process that received it. */
const GRACE = '5 seconds';
const TOO_EARLY_MS = inMilliseconds.seconds(5);

/** Stores each event once and has its subject read from the provider, now or later. */
@SchedulesWork()
@Injectable()
export class WebhooksService implements WorkSource, OnApplicationShutdown {
  readonly scheduledWork: readonly DueWork[] = [
    {
      kind: 'webhooks.process',
      everyMs: inMilliseconds.seconds(3),
      timeoutMs: inMilliseconds.minutes(1),
      concurrency: PROCESSED_AT_ONCE,
      maxAttempts: PATIENT_ATTEMPTS,
      backoff: PATIENT_BACKOFF,
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
    @InjectDataSource() private readonly database: DataSource,
    private readonly events: ProviderEventProcessor,
  ) {}

  /** Stores an event; from then on it can't be lost. False for one that was received before. */
  async receive(sender: string, { id, type, subject }: ProviderEvent): Promise<boolean> {
    const stored: unknown[] = await this.database.query(
      `INSERT INTO webhook_events (sender, event_id, type, provider, subject_kind, subject_id, received_at)
       VALUES ($1, $2, $3, $4, $5, $6, now()) ON CONFLICT DO NOTHING RETURNING event_id`,
      [sender, id, type, subject?.provider ?? null, subject?.kind ?? null, subject?.id ?? null],
    );
    return stored.length === 1;
  }

  /** Processes an event in the background. What fails, or is too much at once, is left to scheduled work. */
  processSoon(sender: string, eventId: string): void {
    if (this.queue.size >= MAX_WAITING) return;
    void this.queue
      .add(() => this.process(sender, eventId))
      .catch((error: Error) => this.logger.warn(`an event waits: ${error.message}`));
  }

  async purge(): Promise<void> {
    await this.database.query(`DELETE FROM webhook_events WHERE received_at < now() - interval '${KEPT}'`);
  }

  private async process(sender: string, eventId: string): Promise<Revisit | null> {
    const event = await this.database.manager.findOneBy(WebhookEventRow, { sender, eventId });
    if (!event || event.processedAt) return null;
    const { provider, subjectKind, subjectId, receivedAt } = event;
    const waitedMs = Math.max(0, Date.now() - receivedAt.getTime());
    const isDone =
      !provider ||
      !subjectKind ||
      !subjectId ||
      (await this.events.process(provider, subjectKind, subjectId, waitedMs));
    if (!isDone) return new Revisit(TOO_EARLY_MS);
    await this.database.manager.update(WebhookEventRow, { sender, eventId }, { processedAt: new Date() });
    return null;
  }

  /** Events being processed may finish; the others are stored. */
  async onApplicationShutdown(): Promise<void> {
    this.queue.clear();
    await Promise.race([
      this.queue.onIdle(),
      new Promise((resolve) => setTimeout(resolve, inMilliseconds.seconds(2)).unref()),
    ]);
  }
}
