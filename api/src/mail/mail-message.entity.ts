import type { Locale } from '@clearframe/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';
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
