import type { EntityManager } from 'typeorm';
import type { MailKind } from './mail-kinds.js';

/** Kind of the scheduled work that sends messages. */
export const DELIVERY = 'mail.deliver';

export interface MailDelivery {
  readonly id: string;
  readonly kind: MailKind | null;
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  readonly attempts: number;
  readonly reason: string | null;
  readonly nextAttemptAt: Date | null;
  readonly isFailed: boolean;
}

const DELIVERIES = `
  SELECT m.id, m.kind, m.recipient, m.subject, m.body, m.created_at AS "createdAt", m.sent_at AS "sentAt",
    coalesce(w.attempts, 0) AS attempts, w.reason, w.next_attempt_at AS "nextAttemptAt",
    w.set_aside_at IS NOT NULL AS "isFailed"
  FROM mail_messages m LEFT JOIN work_attempts w ON w.kind = '${DELIVERY}' AND w.subject = m.id::text`;

interface Listed {
  /** Only unsent messages of which an attempt failed. */
  readonly onlyFailed: boolean;
  readonly limit: number;
}

/** For operators. */
export class MailDeliveryRepository {
  constructor(private readonly manager: EntityManager) {}

  /** The newest first. */
  list({ onlyFailed, limit }: Listed): Promise<MailDelivery[]> {
    return this.manager.query(
      `${DELIVERIES} WHERE NOT $1 OR (m.sent_at IS NULL AND w.reason IS NOT NULL)
       ORDER BY m.created_at DESC, m.id LIMIT $2`,
      [onlyFailed, limit],
    );
  }

  async find(id: string): Promise<MailDelivery | null> {
    const [row]: MailDelivery[] = await this.manager.query(`${DELIVERIES} WHERE m.id = $1`, [id]);
    return row ?? null;
  }
}
