import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Column, DataSource, Entity, EntityManager, PrimaryColumn } from 'typeorm';
import { deleteInBatches } from '../platform/database/statements.js';
import { deleteAttempts } from '../platform/schedule/work-claims.js';
import type { ProviderEvent, ProviderName } from '../providers/payment-provider.js';

@Entity('webhook_events')
export class WebhookEventRow {
  /** `:sender` in the URL of the webhook. */
  @PrimaryColumn('text')
  sender!: string;

  @PrimaryColumn('text')
  eventId!: string;

  @Column('text')
  type!: string;

  @Column('text', { nullable: true })
  provider!: ProviderName | null;

  @Column('text', { nullable: true })
  subjectKind!: 'subscription' | 'payment' | null;

  @Column('text', { nullable: true })
  subjectId!: string | null;

  @Column('timestamptz')
  receivedAt!: Date;

  @Column('timestamptz', { nullable: true })
  processedAt!: Date | null;
}

const subjectOf = ({ sender, eventId }: Pick<WebhookEventRow, 'sender' | 'eventId'>): string => `${sender} ${eventId}`;

@Injectable()
export class WebhookEventRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async insert(sender: string, { id, type, subject }: ProviderEvent): Promise<boolean> {
    const inserted: unknown[] = await this.database.query(
      `INSERT INTO webhook_events (sender, event_id, type, provider, subject_kind, subject_id, received_at)
       VALUES ($1, $2, $3, $4, $5, $6, now()) ON CONFLICT DO NOTHING RETURNING event_id`,
      [sender, id, type, subject?.provider ?? null, subject?.kind ?? null, subject?.id ?? null],
    );
    return inserted.length === 1;
  }

  find(sender: string, eventId: string): Promise<WebhookEventRow | null> {
    return this.database.manager.findOneBy(WebhookEventRow, { sender, eventId });
  }

  async markProcessed(sender: string, eventId: string): Promise<void> {
    await this.database.manager.update(WebhookEventRow, { sender, eventId }, { processedAt: new Date() });
  }

  async purge(age: string): Promise<void> {
    await deleteInBatches(this.database, 'webhook_events', 'received_at < now() - $1::interval', [age]);
  }
}

interface StoredEvent {
  readonly sender: string;
  readonly eventId: string;
  readonly type: string;
  readonly subjectId: string | null;
  readonly receivedAt: Date;
  readonly processedAt: Date | null;
}

/** For operators. */
export class StoredEventRepository {
  constructor(private readonly manager: EntityManager) {}

  /** The newest first. @param subjectId of one subscription or payment; null: of all */
  list(subjectId: string | null, limit: number): Promise<StoredEvent[]> {
    return this.manager.query(
      `SELECT sender, event_id AS "eventId", type, subject_id AS "subjectId", received_at AS "receivedAt",
         processed_at AS "processedAt"
       FROM webhook_events WHERE $1::text IS NULL OR subject_id = $1 ORDER BY received_at DESC LIMIT $2`,
      [subjectId, limit],
    );
  }

  /** Makes the event due. False when it isn't stored. */
  async replay(sender: string, eventId: string): Promise<boolean> {
    const [, count]: [unknown[], number] = await this.manager.query(
      'UPDATE webhook_events SET processed_at = NULL WHERE sender = $1 AND event_id = $2',
      [sender, eventId],
    );
    if (count === 0) return false;
    await deleteAttempts(this.manager, [subjectOf({ sender, eventId })]);
    return true;
  }
}
