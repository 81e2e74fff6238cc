import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProviderName } from '../../port/payment-provider.js';
import { Agreement, Charge, Customer, Intent, Method, Order } from './ledger.entities.js';

/** Clock and signing secret. One row. */
@Entity('sandbox_company')
export class LedgerSystem {
  @PrimaryColumn('int')
  id!: number;

  /** Billing time minus real time. PostgreSQL returns bigint as text. */
  @Column('bigint')
  clockOffsetMs!: string;

  @Column('text')
  webhookSecret!: string;
}

@Entity('sandbox_requests')
export class IdempotentRequest {
  @PrimaryColumn('text')
  key!: string;

  /** SHA-256 of the operation and its parameters. */
  @Column('text')
  fingerprint!: string;

  @Column('jsonb', { name: 'answer' })
  result!: unknown;
}

@Entity('sandbox_events')
export class LedgerEvent {
  @PrimaryColumn('text')
  id!: string;

  /** Order of events, from a sequence. */
  @Column({ type: 'bigint', insert: false, update: false })
  seq!: string;

  @Column('text')
  type!: string;

  @Column('text')
  provider!: ProviderName;

  @Column('text')
  subjectKind!: 'subscription' | 'payment' | 'setup';

  @Column('text')
  subjectId!: string;

  /** Billing time; other times are real. */
  @Column('timestamptz')
  createdAt!: Date;

  @Column('int')
  attempts!: number;

  /** Null after delivery or the last attempt. */
  @Column('timestamptz', { nullable: true })
  nextAttemptAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  deliveredAt!: Date | null;
}

@Entity('sandbox_portal_sessions')
export class PortalSession {
  @PrimaryColumn('text')
  tokenHash!: string;

  @Column('text')
  customerId!: string;

  /** Real time. */
  @Column('timestamptz')
  expiresAt!: Date;
}

export const LEDGER_ENTITIES = [
  LedgerSystem,
  Customer,
  Method,
  Intent,
  Order,
  Agreement,
  Charge,
  IdempotentRequest,
  LedgerEvent,
  PortalSession,
];
