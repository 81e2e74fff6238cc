import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A message that was decided on, sent or not. */
@Entity('mail_messages')
export class MailMessage {
  @PrimaryColumn('uuid')
  id!: string;

  /** What is written twice under one key is sent once. */
  @Column('text', { unique: true })
  idempotencyKey!: string;

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
