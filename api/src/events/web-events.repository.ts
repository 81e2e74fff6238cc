import { createHash } from 'node:crypto';
import { inMilliseconds, type WebEvent } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { deleteInBatches } from '../platform/database/statements.js';
import { type ExportedData, HoldsPersonalData, type PersonalData } from '../platform/personal-data.js';
import { type PeriodicWork, SchedulesWork, type WorkSource } from '../platform/schedule/work.js';

export interface EventSource {
  readonly isAnonymous: boolean;
  readonly userId: string | null;
  readonly clientId: string | null;
  readonly clientVersion: string | null;
  readonly isTester: boolean;
}

type StoredEvent = Required<Pick<WebEvent, 'type' | 'kind' | 'data' | 'info' | 'ids'>> & {
  readonly id: string;
  readonly clientId: string | null;
  readonly subtype: string | null;
  readonly occurredAt: Date;
};

/** Long enough to compare two quarters. */
const KEPT_DAYS = 180;

@Injectable()
@HoldsPersonalData(['events'])
@SchedulesWork()
export class WebEventsRepository implements PersonalData<'events'>, WorkSource {
  readonly scheduledWork: readonly PeriodicWork[] = [
    {
      kind: 'retention.web-events',
      everyMs: inMilliseconds.hours(1),
      timeoutMs: inMilliseconds.minutes(10),
      backoff: { firstMs: inMilliseconds.minutes(1), maxMs: inMilliseconds.hours(1) },
      run: () => this.deleteOld(),
    },
  ];

  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** Events with known ids are ignored: clients may send a batch again. */
  async insert(source: EventSource, events: readonly WebEvent[]): Promise<void> {
    await this.database.query(
      `INSERT INTO web_events (id, user_id, client_id, client_version, is_tester, type, subtype, kind, data, info, ids,
         occurred_at, created_at)
       SELECT id, $1, $2, $3, $4, type, subtype, kind, data, coalesce(info, '{}'), coalesce(ids, '{}'), timestamp, now()
       FROM jsonb_to_recordset($5) AS event(id uuid, type text, subtype text, kind text, data jsonb, info jsonb,
         ids jsonb, timestamp timestamptz)
       ON CONFLICT (id) DO NOTHING`,
      [
        source.userId,
        source.clientId,
        source.clientVersion,
        source.isTester,
        JSON.stringify(events.map((event) => storedEvent(source, event))),
      ],
    );
  }

  async export(userId: string): Promise<Pick<ExportedData, 'events'>> {
    const events: StoredEvent[] = await this.database.query(
      `SELECT id, client_id AS "clientId", ids, type, subtype, kind, data, info, occurred_at AS "occurredAt"
       FROM web_events WHERE user_id = $1 ORDER BY occurred_at, id`,
      [userId],
    );
    return {
      events: events.map(({ id, occurredAt, ...event }) => ({
        ...event,
        eventId: id,
        occurredAt: occurredAt.toISOString(),
      })),
    };
  }

  async move(manager: EntityManager, from: string, to: string): Promise<void> {
    await manager.query('UPDATE web_events SET user_id = $2 WHERE user_id = $1', [from, to]);
  }

  /** Events sent during the erasure are deleted with the account. */
  async erase(userId: string): Promise<void> {
    await this.database.query('DELETE FROM web_events WHERE user_id = $1', [userId]);
  }

  private async deleteOld(): Promise<void> {
    await deleteInBatches(this.database, 'web_events', 'created_at < now() - make_interval(days => $1)', [KEPT_DAYS]);
  }
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const storedEvent = (source: EventSource, event: WebEvent): WebEvent => ({
  ...event,
  ids: source.isAnonymous ? {} : event.ids,
  id: UUID.test(event.id) ? event.id : uuidFrom(source, event.id),
  kind: event.kind ?? event.subtype ?? event.type,
});

/** The same for each repetition by a client, and another one for other clients' `1`. */
function uuidFrom({ userId, clientId }: EventSource, id: string): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([userId, clientId, id]))
    .digest('hex');
  // Version 8, variant 1 (RFC 9562, section 5.8).
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
