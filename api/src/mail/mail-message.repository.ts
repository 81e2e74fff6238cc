import type { Locale } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Column, DataSource, Entity, EntityManager, In, IsNull, PrimaryColumn } from 'typeorm';
import { addDeletions, finishDeletion } from '../platform/schedule/pending-deletions.js';
import { deleteAttempts } from '../platform/schedule/work-claims.js';
import type { MailKind } from './mail-kinds.js';

@Entity('mail_messages')
export class MailMessage {
  @PrimaryColumn('uuid')
  id!: string;

  /** Messages with the same key are sent once. */
  @Column('text', { unique: true })
  idempotencyKey!: string;

  /**
   * Account or guest whose data export and erasure include the message; null for none and for rows older than the
   * column.
   */
  @Column('uuid', { nullable: true })
  userId!: string | null;

  @Column('text', { nullable: true })
  kind!: MailKind | null;

  @Column('text')
  recipient!: string;

  @Column('text')
  subject!: string;

  @Column('text')
  body!: string;

  @Column('text', { nullable: true })
  sealedBody!: string | null;

  @Column('text', { nullable: true })
  html!: string | null;

  @Column('text', { nullable: true })
  language!: Locale | null;

  @Column('timestamptz')
  nextAttemptAt!: Date;

  @Column('timestamptz', { nullable: true })
  sentAt!: Date | null;

  @Column('timestamptz')
  createdAt!: Date;
}

const VERIFIED_ADDRESS = '(SELECT lower(email) FROM users WHERE id = $1 AND email_verified)';
/** Includes messages without an owner to the user's verified address. */
const OWNED = `user_id = $1 OR (user_id IS NULL AND lower(recipient) = ${VERIFIED_ADDRESS})`;
/** Erasure also covers guests' messages to that address. */
const ERASED = `user_id = $1 OR lower(recipient) = ${VERIFIED_ADDRESS}`;

@Injectable()
export class MailMessageRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async insert(manager: EntityManager, message: MailMessage): Promise<void> {
    await manager.createQueryBuilder().insert().into(MailMessage).values(message).orIgnore().execute();
  }

  findUnsent(id: string): Promise<MailMessage | null> {
    return this.database.manager.findOneBy(MailMessage, { id, sentAt: IsNull() });
  }

  async markSent(id: string, changes: { readonly html: null; readonly sealedBody?: null }): Promise<boolean> {
    const { affected } = await this.database.manager.update(MailMessage, { id }, { sentAt: new Date(), ...changes });
    return affected !== 0;
  }

  async transfer(manager: EntityManager, from: string, to: string): Promise<void> {
    await manager.query('UPDATE mail_messages SET user_id = $2 WHERE user_id = $1', [from, to]);
  }

  async listOwned(userId: string): Promise<MailMessage[]> {
    const { manager } = this.database;
    const owned: { id: string }[] = await manager.query(`SELECT id FROM mail_messages WHERE ${OWNED}`, [userId]);
    return manager.find(MailMessage, {
      where: { id: In(owned.map(({ id }) => id)) },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  /** Their files remain until `mail.delete-files`. */
  async erase(manager: EntityManager, userId: string): Promise<void> {
    const [erased]: [{ id: string }[], number] = await manager.query(
      `DELETE FROM mail_messages WHERE ${ERASED} RETURNING id`,
      [userId],
    );
    const ids = erased.map(({ id }) => id);
    await deleteAttempts(manager, ids);
    await addDeletions(manager, 'mail', ids);
  }

  async finishErasure(id: string): Promise<void> {
    await finishDeletion(this.database.manager, 'mail', id);
  }

  clearMessage(id: string): Promise<void> {
    return this.clear(id, `recipient = '', subject = '', body = '', sealed_body = NULL, html = NULL`);
  }

  clearSealedBody(id: string): Promise<void> {
    return this.clear(id, 'sealed_body = NULL, html = NULL');
  }

  private async clear(id: string, changes: string): Promise<void> {
    const { manager } = this.database;
    await manager.query(`UPDATE mail_messages SET ${changes}, sent_at = coalesce(sent_at, now()) WHERE id = $1`, [id]);
    await deleteAttempts(manager, [id]);
  }
}

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
