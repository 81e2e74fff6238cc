import type { EntityManager } from 'typeorm';
import { deleteAttempts } from '../platform/schedule/work-claims.js';
import { subjectOf } from './webhook-event.entity.js';

export interface StoredEvent {
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
