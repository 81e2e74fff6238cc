import { FINAL_STATUSES, UsageThreshold, WEBHOOK_MESSAGE_TYPES, WEBHOOK_TEST } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Column, DataSource, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import { JsonColumn } from '../platform/database/json-column.js';
import { deleteInBatches } from '../platform/database/statements.js';

/** Something that happened, to be told to its user's endpoints. A trigger records what happens to tasks (`record_settled_task`). */
@Entity('webhook_messages')
export class WebhookMessageRow {
  /** The `webhook-id` of its messages. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  userId!: string;

  /** One of `WEBHOOK_MESSAGE_TYPES`; `task.cancelled` and `video.cancelled` are only recorded. */
  @Column('text')
  type!: string;

  /** A task, an upload, an endpoint or a user. */
  @Column('uuid')
  subjectId!: string;

  /** For events whose data can't be read later. */
  @JsonColumn(UsageThreshold, { nullable: true })
  data!: UsageThreshold | null;

  @Column('timestamptz')
  createdAt!: Date;
}

/**
 * A message for one address of its user. A lane is what is delivered independently of everything else: an
 * endpoint, or the callback addresses of one host.
 */
const DELIVERIES = `
  INSERT INTO webhook_deliveries (id, message_id, endpoint_id, user_id, lane, url, status, next_attempt_at, created_at)
  SELECT gen_random_uuid(), m.id, w.id, m.user_id,
    CASE WHEN w.url IS NULL THEN w.id || ':' || md5(substring(b.callback_url FROM '^https?://[^/?#]+')) ELSE w.id::text END,
    coalesce(w.url, b.callback_url), 'pending', now(), m.created_at
  FROM webhook_messages m
  JOIN webhook_endpoints w ON w.user_id = m.user_id
  LEFT JOIN bulk_uploads b ON b.id = m.bulk_upload_id
  WHERE m.id = $1 AND m.type = ANY ($2) AND CASE
    WHEN w.url IS NULL THEN b.callback_url IS NOT NULL
    WHEN m.type = '${WEBHOOK_TEST}' THEN w.id = m.subject_id
    ELSE m.type = ANY (w.events) AND w.disabled_reason IS NULL END
  ON CONFLICT (message_id, endpoint_id) DO NOTHING`;

/**
 * The end of an upload of several pictures. Its key is the last message of a picture: of pictures that end at the same
 * time, each sees the others once all have been committed, and only one of these insertions succeeds.
 */
const BATCH_COMPLETED = `
  INSERT INTO webhook_messages (key, user_id, type, subject_id, bulk_upload_id, created_at)
  SELECT 'batch:' || m.bulk_upload_id || ':' || (
      SELECT max(o.seq) FROM webhook_messages o WHERE o.bulk_upload_id = m.bulk_upload_id AND o.type LIKE 'task.%'),
    m.user_id, 'batch.completed', m.bulk_upload_id, m.bulk_upload_id, clock_timestamp()
  FROM webhook_messages m
  WHERE m.id = $1 AND m.type LIKE 'task.%' AND (
    SELECT count(*) > 1 AND bool_and(t.status = ANY ($2)) FROM tasks t WHERE t.bulk_upload_id = m.bulk_upload_id)
  ON CONFLICT (key) DO NOTHING`;

/** Methods that take a manager run in its transaction. */
@Injectable()
export class WebhookMessagesRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /**
   * @param key of messages that are recorded once, however often they are noticed
   * @returns the id; null when it has been recorded before
   */
  async record(
    manager: EntityManager,
    message: Pick<WebhookMessageRow, 'userId' | 'type' | 'subjectId'> & {
      readonly data?: UsageThreshold;
      readonly key?: string;
    },
  ): Promise<string | null> {
    const [row]: { id: string }[] = await manager.query(
      `INSERT INTO webhook_messages (key, user_id, type, subject_id, data, created_at)
       VALUES ($1, $2, $3, $4, $5, clock_timestamp()) ON CONFLICT (key) DO NOTHING RETURNING id`,
      [message.key ?? null, message.userId, message.type, message.subjectId, message.data ?? null],
    );
    return row?.id ?? null;
  }

  /**
   * The account's use of a limit has passed 80 or 100 percent. Sent to the endpoints that chose `usage.threshold`, once for
   * each percentage of a period.
   */
  async recordUsageThreshold(manager: EntityManager, userId: string, data: UsageThreshold): Promise<void> {
    const key = `usage:${userId}:${data.keyId ?? 'account'}:${data.resetsAt}:${data.percent}`;
    await this.record(manager, { userId, type: 'usage.threshold', subjectId: userId, data, key });
  }

  /** Makes the deliveries of a message, once. */
  async expand(id: string): Promise<void> {
    await this.database.transaction(async (manager) => {
      await manager.query(DELIVERIES, [id, WEBHOOK_MESSAGE_TYPES]);
      await manager.query(BATCH_COMPLETED, [id, FINAL_STATUSES]);
      await manager.query('UPDATE webhook_messages SET expanded_at = now() WHERE id = $1', [id]);
    });
  }

  find(id: string): Promise<WebhookMessageRow | null> {
    return this.database.manager.findOneBy(WebhookMessageRow, { id });
  }

  /** Deletes their deliveries, too. */
  async deleteBefore(seconds: number): Promise<void> {
    await deleteInBatches(this.database, 'webhook_messages', 'created_at < now() - make_interval(secs => $1)', [
      seconds,
    ]);
  }

  async deleteOfUser(manager: EntityManager, userId: string): Promise<void> {
    await manager.delete(WebhookMessageRow, { userId });
  }
}
