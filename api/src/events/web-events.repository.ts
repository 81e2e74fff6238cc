import { createHash } from 'node:crypto';
import type { WebEvent } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';

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

@Injectable()
export class WebEventsRepository {
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

  listOfUser(userId: string): Promise<StoredEvent[]> {
    return this.database.query(
      `SELECT id, client_id AS "clientId", ids, type, subtype, kind, data, info, occurred_at AS "occurredAt"
       FROM web_events WHERE user_id = $1 ORDER BY occurred_at, id`,
      [userId],
    );
  }

  async move(manager: EntityManager, from: string, to: string): Promise<void> {
    await manager.query('UPDATE web_events SET user_id = $2 WHERE user_id = $1', [from, to]);
  }

  async deleteOfUser(userId: string): Promise<void> {
    await this.database.query('DELETE FROM web_events WHERE user_id = $1', [userId]);
  }

  async deleteOlderThan(days: number): Promise<void> {
    await this.database.query(`DELETE FROM web_events WHERE created_at < now() - make_interval(days => $1)`, [days]);
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
