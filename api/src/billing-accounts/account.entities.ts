import type { Currency, SubscriptionProvider, SubscriptionStatus } from '@clearframe/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProviderName } from '../providers/payment-provider.js';

/** `pending`: not confirmed by the provider. `abandoned`: never created there. Other values are the provider's. */
export type OwnSubscriptionStatus = SubscriptionStatus | 'pending' | 'abandoned';

/** PostgreSQL returns bigint as text. */
const bigint = { from: Number, to: (value: number) => value };

/** A one-time purchase. Inserted before the provider is called; its id is the reference at the provider. */
@Entity('payments')
export class PaymentRow {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { nullable: true }) userId!: string | null;
  @Column('text') provider!: ProviderName;
  /** Null until the provider has responded. */
  @Column('text', { nullable: true }) providerId!: string | null;
  @Column('text', { nullable: true }) customerId!: string | null;
  /** Catalogue id. */
  @Column('text') priceId!: string;
  @Column('int') exports!: number;
  @Column('int') amountCents!: number;
  @Column('text') currency!: Currency;
  /** The task of a guest's single export; null for any task. */
  @Column('uuid', { nullable: true }) taskId!: string | null;
  @Column('text') status!: 'pending' | 'succeeded' | 'failed' | 'canceled';
  @Column('int') refundedCents!: number;
  @Column('boolean') isDisputed!: boolean;
  /** Charged for a photo that was already unlocked: grants nothing and is refunded. */
  @Column('boolean') isDuplicate!: boolean;
  @Column('text', { nullable: true }) payerEmail!: string | null;
  /** Number of the last reading from the provider; older readings are ignored. */
  @Column('bigint', { transformer: bigint }) readNo!: number;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) settledAt!: Date | null;
}

/** The state when it was last read from its provider. */
@Entity('subscriptions')
export class SubscriptionRow {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { nullable: true }) userId!: string | null;
  @Column('text') provider!: SubscriptionProvider;
  @Column('text', { nullable: true }) providerId!: string | null;
  @Column('text', { nullable: true }) customerId!: string | null;
  @Column('text') priceId!: string;
  @Column('text', { nullable: true }) introPriceId!: string | null;
  @Column('text', { nullable: true }) paymentMethodId!: string | null;
  @Column('boolean') asksTrial!: boolean;
  @Column('text') status!: OwnSubscriptionStatus;
  @Column('timestamptz', { nullable: true }) currentPeriodStart!: Date | null;
  @Column('timestamptz', { nullable: true }) currentPeriodEnd!: Date | null;
  @Column('timestamptz', { nullable: true }) trialEnd!: Date | null;
  @Column('boolean') cancelAtPeriodEnd!: boolean;
  @Column('timestamptz', { nullable: true }) canceledAt!: Date | null;
  @Column('timestamptz', { nullable: true }) endedAt!: Date | null;
  @Column('boolean') hasIntro!: boolean;
  @Column('int') paidCents!: number;
  @Column('text') currency!: Currency;
  @Column('boolean') isDisputed!: boolean;
  /** Credits that the buyer agreed to forfeit at the start. */
  @Column('int') forfeitCredits!: number;
  @Column('timestamptz', { nullable: true }) forfeitedAt!: Date | null;
  @Column('uuid', { nullable: true }) replacesId!: string | null;
  @Column('timestamptz', { nullable: true }) supersededAt!: Date | null;
  @Column('timestamptz', { nullable: true }) previewedAt!: Date | null;
  @Column('bigint', { transformer: bigint }) readNo!: number;
  @Column('timestamptz') createdAt!: Date;
}

/** Entry of the append-only credit ledger. The balance is the sum. */
@Entity('credit_entries')
export class CreditEntryRow {
  /** Derived from its cause (`purchase:…`, `export:…`): one entry for each. */
  @PrimaryColumn('text') id!: string;
  @Column('uuid') userId!: string;
  @Column('int') amount!: number;
  @Column('text') reason!: 'purchase' | 'export' | 'return' | 'forfeit' | 'refund' | 'dispute' | 'settled';
  /** Null for any task. */
  @Column('uuid', { nullable: true }) taskId!: string | null;
  @Column('uuid', { nullable: true }) paymentId!: string | null;
  @Column('timestamptz') createdAt!: Date;
}

@Entity('export_uses')
export class ExportUseRow {
  @PrimaryColumn('uuid') taskId!: string;
  @Column('uuid') id!: string;
  @Column('uuid') userId!: string;
  @Column('text') source!: 'unlimited' | 'period' | 'credit';
  @Column('uuid', { nullable: true }) subscriptionId!: string | null;
  @Column('timestamptz', { nullable: true }) periodStart!: Date | null;
  /** False while the file is being rendered. */
  @Column('boolean') isKept!: boolean;
  @Column('timestamptz') createdAt!: Date;
}

@Entity('trial_uses')
export class TrialUseRow {
  @PrimaryColumn('uuid') subscriptionId!: string;
  @Column('uuid') userId!: string;
  @Column('text', { name: 'fingerprint_hash', nullable: true }) fingerprint!: string | null;
  @Column('timestamptz') createdAt!: Date;
}

/** Remaining time is postponed while a business subscription runs. */
@Entity('gift_redemptions')
export class GiftRedemptionRow {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') userId!: string;
  @Column('uuid') codeId!: string;
  @Column('timestamptz') startsAt!: Date;
  @Column('timestamptz') expiresAt!: Date;
  @Column('timestamptz') createdAt!: Date;
}

export const ACCOUNT_ENTITIES = [
  PaymentRow,
  SubscriptionRow,
  CreditEntryRow,
  ExportUseRow,
  TrialUseRow,
  GiftRedemptionRow,
];
