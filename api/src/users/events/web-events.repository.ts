import type { WebEvent } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';

export interface EventSource {
  readonly userId: string | null;
  readonly clientId: string | null;
  readonly clientVersion: string | null;
  readonly isTester: boolean;
}

type StoredEvent = Required<Pick<WebEvent, 'type' | 'kind' | 'data' | 'info'>> & {
  readonly id: string;
  readonly occurredAt: Date;
};

@Injectable()
export class WebEventsRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** Events with known ids are ignored: clients may send a batch again. */
  async insert(source: EventSource, events: readonly WebEvent[]): Promise<void> {
    await this.database.query(
      `INSERT INTO web_events (id, user_id, client_id, client_version, is_tester, type, subtype, kind, data, info,
         occurred_at, created_at)
       SELECT id, $1, $2, $3, $4, type, subtype, kind, data, coalesce(info, '{}'), timestamp, now()
       FROM jsonb_to_recordset($5) AS event(id uuid, type text, subtype text, kind text, data jsonb, info jsonb,
         timestamp timestamptz)
       ON CONFLICT (id) DO NOTHING`,
      [source.userId, source.clientId, source.clientVersion, source.isTester, JSON.stringify(events)],
    );
  }

  listOfUser(userId: string): Promise<StoredEvent[]> {
    return this.database.query(
      `SELECT id, type, kind, data, info, occurred_at AS "occurredAt"
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
