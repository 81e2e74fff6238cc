import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProviderName } from '../providers/payment-provider.js';

@Entity('webhook_events')
export class WebhookEventRow {
  /** `:sender` in the URL of the webhook. */
  @PrimaryColumn('text')
  sender!: string;

  @PrimaryColumn('text')
  eventId!: string;

  @Column('text')
  type!: string;

  @Column('text', { nullable: true })
  provider!: ProviderName | null;

  @Column('text', { nullable: true })
  subjectKind!: 'subscription' | 'payment' | null;

  @Column('text', { nullable: true })
  subjectId!: string | null;

  @Column('timestamptz')
  receivedAt!: Date;

  @Column('timestamptz', { nullable: true })
  processedAt!: Date | null;
}

export const subjectOf = ({ sender, eventId }: Pick<WebhookEventRow, 'sender' | 'eventId'>): string =>
  `${sender} ${eventId}`;
