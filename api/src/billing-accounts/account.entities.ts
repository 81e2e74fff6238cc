import type { Currency, SubscriptionProvider } from '@clearframe/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProviderName } from '../providers/payment-provider.js';
import type {
  CreditEntry,
  ExportUse,
  GiftRedemption,
  OwnSubscriptionStatus,
  Payment,
  Subscription,
  TrialUse,
} from './billing-account.js';

/** PostgreSQL returns bigint as text. */
const bigint = { from: Number, to: (value: number) => value };

@Entity('payments')
export class PaymentRow implements Payment {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { nullable: true }) userId!: string | null;
  @Column('text') provider!: ProviderName;
  @Column('text', { nullable: true }) providerId!: string | null;
  @Column('text', { nullable: true }) customerId!: string | null;
  @Column('text') priceId!: string;
  @Column('int') exports!: number;
  @Column('int') amountCents!: number;
  @Column('text') currency!: Currency;
  @Column('uuid', { nullable: true }) taskId!: string | null;
  @Column('text') status!: Payment['status'];
  @Column('int') refundedCents!: number;
  @Column('boolean') isDisputed!: boolean;
  @Column('boolean') isDuplicate!: boolean;
  @Column('text', { nullable: true }) payerEmail!: string | null;
  @Column('bigint', { transformer: bigint }) readNo!: number;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) settledAt!: Date | null;
}

@Entity('subscriptions')
export class SubscriptionRow implements Subscription {
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
  @Column('int') forfeitCredits!: number;
  @Column('timestamptz', { nullable: true }) forfeitedAt!: Date | null;
  @Column('uuid', { nullable: true }) replacesId!: string | null;
  @Column('timestamptz', { nullable: true }) supersededAt!: Date | null;
  @Column('timestamptz', { nullable: true }) previewedAt!: Date | null;
  @Column('bigint', { transformer: bigint }) readNo!: number;
  @Column('timestamptz') createdAt!: Date;
}

@Entity('credit_entries')
export class CreditEntryRow implements CreditEntry {
  @PrimaryColumn('text') id!: string;
  @Column('uuid') userId!: string;
  @Column('int') amount!: number;
  @Column('text') reason!: CreditEntry['reason'];
  @Column('uuid', { nullable: true }) taskId!: string | null;
  @Column('uuid', { nullable: true }) paymentId!: string | null;
  @Column('timestamptz') createdAt!: Date;
}

@Entity('export_uses')
export class ExportUseRow implements ExportUse {
  @PrimaryColumn('uuid') taskId!: string;
  @Column('uuid') id!: string;
  @Column('uuid') userId!: string;
  @Column('text') source!: ExportUse['source'];
  @Column('uuid', { nullable: true }) subscriptionId!: string | null;
  @Column('timestamptz', { nullable: true }) periodStart!: Date | null;
  @Column('boolean') isKept!: boolean;
  @Column('timestamptz') createdAt!: Date;
}

@Entity('trial_uses')
export class TrialUseRow implements TrialUse {
  @PrimaryColumn('uuid') subscriptionId!: string;
  @Column('uuid') userId!: string;
  @Column('text', { name: 'fingerprint_hash', nullable: true }) fingerprint!: string | null;
  @Column('timestamptz') createdAt!: Date;
}

@Entity('gift_redemptions')
export class GiftRedemptionRow implements GiftRedemption {
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
