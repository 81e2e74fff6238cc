import { inMilliseconds } from '@clearframe/contract';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { ProviderEvent } from '../billing/payment-provider.js';
import { ProviderSubjects } from '../billing/provider-subjects.js';
import { WebhookEventRow } from './webhook-event.entity.js';

const BATCH = 50;
/** A provider that has to be asked again is given this long the first time, and twice as long each time after. */
const RETRY = `least(interval '1 hour', interval '5 seconds' * power(2, least(checks, 12)))`;
/** Longer than any provider repeats an event. */
const KEPT = '60 days';

/** Takes events once and sees to it that what they are about is looked at, now or later. */
@Injectable()
export class WebhooksService implements OnApplicationShutdown {
  private readonly logger = new Logger(WebhooksService.name);
  private readonly working = new Set<Promise<unknown>>();

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly subjects: ProviderSubjects,
  ) {}

  /** Writes an event down; from then on it cannot be lost. False for one that has come before. */
  async take(sender: string, { id, type, subject }: ProviderEvent): Promise<boolean> {
    const taken: unknown[] = await this.database.query(
      `INSERT INTO webhook_events (sender, event_id, type, provider, subject_kind, subject_id, received_at, checked_at)
       VALUES ($1, $2, $3, $4, $5, $6, now(), now()) ON CONFLICT DO NOTHING RETURNING event_id`,
      [sender, id, type, subject?.provider ?? null, subject?.kind ?? null, subject?.id ?? null],
    );
    return taken.length === 1;
  }

  /** Looks at an event's subject without anybody waiting for it. What fails is left to the sweep. */
  processSoon(sender: string, eventId: string): void {
    const work = this.database.manager
      .findOneByOrFail(WebhookEventRow, { sender, eventId })
      .then((event) => this.process(event))
      .catch((error: Error) => this.logger.warn(`an event waits: ${error.message}`))
      .finally(() => this.working.delete(work));
    this.working.add(work);
  }

  /** Events that nobody has dealt with, some at a time; each process takes what no other holds. */
  async processWaiting(): Promise<void> {
    const [rows]: { sender: string; event_id: string }[][] = await this.database.query(
      `UPDATE webhook_events SET checked_at = now(), checks = checks + 1 WHERE (sender, event_id) IN (
         SELECT sender, event_id FROM webhook_events WHERE processed_at IS NULL AND checked_at < now() - ${RETRY}
         ORDER BY checked_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
       RETURNING sender, event_id`,
    );
    for (const { sender, event_id: eventId } of rows ?? []) {
      const event = await this.database.manager.findOneByOrFail(WebhookEventRow, { sender, eventId });
      await this.process(event).catch((error: Error) => this.logger.warn(`an event waits: ${error.message}`));
    }
  }

  async purge(): Promise<void> {
    await this.database.query(`DELETE FROM webhook_events WHERE received_at < now() - interval '${KEPT}'`);
  }

  private async process(event: WebhookEventRow): Promise<void> {
    const { sender, eventId, provider, subjectKind, subjectId, receivedAt } = event;
    if (event.processedAt) return;
    const waitedMs = Math.max(0, Date.now() - receivedAt.getTime());
    const isDone =
      !provider || !subjectKind || !subjectId || (await this.subjects.look(provider, subjectKind, subjectId, waitedMs));
    if (isDone) await this.database.manager.update(WebhookEventRow, { sender, eventId }, { processedAt: new Date() });
  }

  /** What is in its middle may come to an end; the rest is written down. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.race([
      Promise.all(this.working),
      new Promise((resolve) => setTimeout(resolve, inMilliseconds.seconds(2)).unref()),
    ]);
  }
}
