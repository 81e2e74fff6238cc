import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { MailKind } from './mail-texts.js';

/** A mail message, sent or unsent. */
@Entity('mail_messages')
export class MailMessage {
  @PrimaryColumn('uuid')
  id!: string;

  /** Messages with the same key are sent once. */
  @Column('text', { unique: true })
  idempotencyKey!: string;

  /** The account or guest the message is about; null when there is none, and for messages older than this column. */
  @Column('uuid', { nullable: true })
  userId!: string | null;

  /** Null for messages older than this column. */
  @Column('text', { nullable: true })
  kind!: MailKind | null;

  @Column('text')
  recipient!: string;

  @Column('text')
  subject!: string;

  /** Empty where it is sealed. */
  @Column('text')
  body!: string;

  /** The body of a message with a live credential, encrypted by {@link Seal}; null once it was sent to a server. */
  @Column('text', { nullable: true })
  sealedBody!: string | null;

  /** Not sent before. Attempts are counted in `work_attempts`. */
  @Column('timestamptz')
  nextAttemptAt!: Date;

  @Column('timestamptz', { nullable: true })
  sentAt!: Date | null;

  @Column('timestamptz')
  createdAt!: Date;
}
