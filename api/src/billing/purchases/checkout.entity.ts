import type { PurchaseKind } from '@clearframe/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProviderName } from '../providers/port/payment-provider.js';

/** What a user was allowed to pay for, and on which terms: written before a payment page opens. */
@Entity('checkouts')
export class CheckoutRow {
  @PrimaryColumn('uuid') id!: string;
  /** Follows the user when a guest logs in. */
  @Column('uuid') userId!: string;
  @Column('text') provider!: ProviderName;
  @Column('text') kind!: PurchaseKind;
  /** The catalogue's name of the price. */
  @Column('text') priceId!: string;
  @Column('text', { nullable: true }) introPriceId!: string | null;
  @Column('boolean') trial!: boolean;
  /** The task that the download is for, or that the buyer returns to. */
  @Column('uuid', { nullable: true }) taskId!: string | null;
  /** Downloads of the pack; for a subscription, credits that the buyer agreed to lose. */
  @Column('int') unlockedExports!: number;
  /** `version` of the page: forces the trial or intro flag. */
  @Column('text', { nullable: true }) version!: string | null;
  /** Our row of the subscription that an upgrade or period change replaces, or whose invoice a retry pays. */
  @Column('uuid', { nullable: true }) subscriptionId!: string | null;
  /** What a wallet's approval carries: `{webUserId}-{suffix}`. Null by card. */
  @Column('text', { nullable: true }) customId!: string | null;
  /** A guest's address for the receipt and the link back; deleted with the link. */
  @Column('text', { nullable: true }) receiptEmail!: string | null;
  @Column('timestamptz') createdAt!: Date;
}
