import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProviderName } from '../../port/payment-provider.js';
import { Agreement, Charge, Customer, Intent, Method, Order } from './ledger.entities.js';

/** What the company is set to: its clock, and the secret that it signs with. One row. */
@Entity('sandbox_company')
export class LedgerSystem {
  @PrimaryColumn('int')
  id!: number;

  /** How far billing time is ahead of real time. A bigint, which the driver gives as a string. */
  @Column('bigint')
  clockOffsetMs!: string;

  @Column('text')
  webhookSecret!: string;
}

/** A request that was made with a key, and what it was answered. */
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

/** Something that happened, and how far telling the product about it has come. */
@Entity('sandbox_events')
export class LedgerEvent {
  @PrimaryColumn('text')
  id!: string;

  /** The order in which they happened. The database counts. */
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

  /** In billing time; the other times are real ones. */
  @Column('timestamptz')
  createdAt!: Date;

  @Column('int')
  attempts!: number;

  /** Null once delivered or given up. */
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

/** Every table of the company. */
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
