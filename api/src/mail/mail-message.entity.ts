import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { MailKind } from './mail-texts.js';

/** A message that was decided on, sent or not. */
@Entity('mail_messages')
export class MailMessage {
  @PrimaryColumn('uuid')
  id!: string;

  /** What is written twice under one key is sent once. */
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

  @Column('text')
  body!: string;

  @Column('int')
  attempts!: number;

  @Column('timestamptz')
  nextAttemptAt!: Date;

  @Column('timestamptz', { nullable: true })
  sentAt!: Date | null;

  @Column('timestamptz')
  createdAt!: Date;
}
