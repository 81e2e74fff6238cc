import type { Currency, SubscriptionStatus } from '@clearframe/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProviderName } from '../../port/payment-provider.js';

/** A payer by card. The e-mail address isn't stored. */
@Entity('sandbox_customers')
export class Customer {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  userId!: string;

  @Column('timestamptz')
  createdAt!: Date;
}

/** A card or wallet: its behaviour, never its number. */
@Entity('sandbox_payment_methods')
export class Method {
  @PrimaryColumn('text')
  id!: string;

  /** Null for a card that wasn't saved. */
  @Column('text', { nullable: true })
  customerId!: string | null;

  /** Null for a wallet. */
  @Column('text', { nullable: true })
  fingerprint!: string | null;

  /** Reason why charges fail; null when they succeed. */
  @Column('text', { nullable: true })
  declineCode!: string | null;

  @Column('timestamptz')
  createdAt!: Date;
}

export type IntentKind = 'setup' | 'payment';

@Entity('sandbox_intents')
export class Intent {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  kind!: IntentKind;

  /** `<id>_secret_<random>`. */
  @Column('text')
  secret!: string;

  @Column('text')
  customerId!: string;

  /** `open`: waits for a card, also after a declined one. */
  @Column('text')
  status!: 'open' | 'requires_action' | 'succeeded' | 'canceled';

  @Column('text', { nullable: true })
  paymentMethodId!: string | null;

  @Column('int', { nullable: true })
  amountCents!: number | null;

  @Column('text', { nullable: true })
  currency!: Currency | null;

  @Column('text', { nullable: true })
  reference!: string | null;

  @Column('text', { nullable: true })
  lastError!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  /** Expiry. */
  @Column('timestamptz', { nullable: true })
  nextAt!: Date | null;
}

/** A one-time payment by wallet. */
@Entity('sandbox_orders')
export class Order {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  customId!: string;

  @Column('int')
  amountCents!: number;

  @Column('text')
  currency!: Currency;

  @Column('text')
  payerEmail!: string;

  @Column('text')
  status!: 'approved' | 'captured' | 'canceled';

  @Column('timestamptz')
  createdAt!: Date;

  /** Expiry. */
  @Column('timestamptz', { nullable: true })
  nextAt!: Date | null;
}

@Entity('sandbox_subscriptions')
export class Agreement {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  provider!: ProviderName;

  /** Null at the wallet. */
  @Column('text', { nullable: true })
  customerId!: string | null;

  @Column('text')
  reference!: string;

  /** Card price or wallet plan. */
  @Column('text')
  priceId!: string;

  @Column('text', { nullable: true })
  introPriceId!: string | null;

  @Column('text', { nullable: true })
  paymentMethodId!: string | null;

  @Column('text')
  status!: Exclude<SubscriptionStatus, 'paused' | 'unpaid'>;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  currentPeriodStart!: Date;

  @Column('timestamptz')
  currentPeriodEnd!: Date;

  @Column('timestamptz', { nullable: true })
  trialEnd!: Date | null;

  @Column('boolean')
  cancelAtPeriodEnd!: boolean;

  @Column('timestamptz', { nullable: true })
  canceledAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  endedAt!: Date | null;

  /** Period end of the last notice. */
  @Column('timestamptz', { nullable: true })
  noticedFor!: Date | null;

  /** Failed charges of the current period. */
  @Column('int')
  failedAttempts!: number;

  @Column('timestamptz', { nullable: true })
  firstFailedAt!: Date | null;

  /** Next scheduled change; null after the end. */
  @Column('timestamptz', { nullable: true })
  nextAt!: Date | null;
}

/** Successful or failed. */
@Entity('sandbox_charges')
export class Charge {
  @PrimaryColumn('text')
  id!: string;

  /** Intent, order or subscription. */
  @Column('text')
  subjectId!: string;

  @Column('int')
  amountCents!: number;

  @Column('text')
  currency!: Currency;

  /** Of a subscription. */
  @Column('timestamptz', { nullable: true })
  periodStart!: Date | null;

  /** Null for a success. */
  @Column('text', { nullable: true })
  failureCode!: string | null;

  @Column('int')
  refundedCents!: number;

  @Column('boolean')
  isDisputed!: boolean;

  @Column('timestamptz')
  createdAt!: Date;
}
