import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProviderName } from '../billing/providers/port/payment-provider.js';

/** An event of a provider. */
@Entity('webhook_events')
export class WebhookEventRow {
  /** `:sender` of the webhook's address. */
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
