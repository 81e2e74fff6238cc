import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProviderName } from '../../port/payment-provider.js';
import { Agreement, Charge, Customer, Intent, Method, Order } from './ledger.entities.js';

/** The clock and the signing secret. One row. */
@Entity('sandbox_company')
export class LedgerSystem {
  @PrimaryColumn('int')
  id!: number;

  /** Billing time minus real time. A bigint, which the driver returns as a string. */
  @Column('bigint')
  clockOffsetMs!: string;

  @Column('text')
  webhookSecret!: string;
}

/** A request with an idempotency key, and its answer. */
@Entity('sandbox_requests')
export class IdempotentRequest {
  @PrimaryColumn('text')
  key!: string;

  /** SHA-256 of the operation and its parameters. */
  @Column('text')
  fingerprint!: string;

  @Column('jsonb')
  answer!: unknown;
}

/** An event and the state of its delivery. */
@Entity('sandbox_events')
export class LedgerEvent {
  @PrimaryColumn('text')
  id!: string;

  /** The order of events, from a sequence. */
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

  /** In billing time; the other times are real. */
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

  /** In real time. */
  @Column('timestamptz')
  expiresAt!: Date;
}

/** All tables of the sandbox. */
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
