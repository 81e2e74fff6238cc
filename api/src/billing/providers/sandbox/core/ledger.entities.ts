import type { Currency, SubscriptionStatus } from '@clearframe/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProviderName } from '../../port/payment-provider.js';

/** Somebody who pays by card. The company has no use for their e-mail address and does not keep it. */
@Entity('sandbox_customers')
export class Customer {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  userId!: string;

  @Column('timestamptz')
  createdAt!: Date;
}

/** A card or wallet that was agreed to. How it behaves is kept; its number never is. */
@Entity('sandbox_payment_methods')
export class Method {
  @PrimaryColumn('text')
  id!: string;

  /** Null for a card that paid once and was not kept. */
  @Column('text', { nullable: true })
  customerId!: string | null;

  /** Null for a wallet. */
  @Column('text', { nullable: true })
  fingerprint!: string | null;

  /** Why charges fail; null while they succeed. */
  @Column('text', { nullable: true })
  declineCode!: string | null;

  @Column('timestamptz')
  createdAt!: Date;
}

export type IntentKind = 'setup' | 'payment';

/** The wish to keep a card (setup) or to pay once by card (payment). */
@Entity('sandbox_intents')
export class Intent {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  kind!: IntentKind;

  /** The whole client secret, `<id>_secret_<random>`. */
  @Column('text')
  secret!: string;

  @Column('text')
  customerId!: string;

  /** `open`: waits for a card; a declined one may be followed by another. */
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

  /** When it is given up. */
  @Column('timestamptz', { nullable: true })
  nextAt!: Date | null;
}

/** A payment made once by wallet, approved by its payer and waiting to be captured. */
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

  /** When it is given up. */
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

  /** The id that it was bought by: a card price's or a wallet plan's. */
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

  /** The period end that a notice was sent ahead of. */
  @Column('timestamptz', { nullable: true })
  noticedFor!: Date | null;

  /** Charges of the running period that failed, and when the first of them did. */
  @Column('int')
  failedAttempts!: number;

  @Column('timestamptz', { nullable: true })
  firstFailedAt!: Date | null;

  /** When something happens to it by itself; null once it has ended. */
  @Column('timestamptz', { nullable: true })
  nextAt!: Date | null;
}

/** Money that moved, or did not. */
@Entity('sandbox_charges')
export class Charge {
  @PrimaryColumn('text')
  id!: string;

  /** The intent, order or subscription that it was for. */
  @Column('text')
  subjectId!: string;

  @Column('int')
  amountCents!: number;

  @Column('text')
  currency!: Currency;

  /** The period of a subscription that it paid for. */
  @Column('timestamptz', { nullable: true })
  periodStart!: Date | null;

  /** Null where it succeeded. */
  @Column('text', { nullable: true })
  failureCode!: string | null;

  @Column('int')
  refundedCents!: number;

  @Column('boolean')
  isDisputed!: boolean;

  @Column('timestamptz')
  createdAt!: Date;
}
