import type { PurchaseKind } from '@clearframe/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProviderName } from '../providers/port/payment-provider.js';

/** An allowed purchase with its terms, stored before the payment page opens. */
@Entity('checkouts')
export class CheckoutRow {
  @PrimaryColumn('uuid') id!: string;
  /** Follows the user when a guest logs in. */
  @Column('uuid') userId!: string;
  @Column('text') provider!: ProviderName;
  @Column('text') kind!: PurchaseKind;
  /** The catalogue's id of the price. */
  @Column('text') priceId!: string;
  @Column('text', { nullable: true }) introPriceId!: string | null;
  @Column('boolean') trial!: boolean;
  /** The task to unlock, or that the buyer returns to. */
  @Column('uuid', { nullable: true }) taskId!: string | null;
  /** Downloads of the pack; for a subscription, credits that the buyer agreed to lose. */
  @Column('int') unlockedExports!: number;
  /** `version` of the page: forces the trial or intro flag. */
  @Column('text', { nullable: true }) version!: string | null;
  /** Our row of the subscription that is upgraded, changed, or whose invoice a retry pays. */
  @Column('uuid', { nullable: true }) subscriptionId!: string | null;
  /** The wallet's `custom_id`: `{webUserId}-{suffix}`. Null by card. */
  @Column('text', { nullable: true }) customId!: string | null;
  /** A guest's address for the receipt and the link to the photo; deleted with the link. */
  @Column('text', { nullable: true }) receiptEmail!: string | null;
  @Column('timestamptz') createdAt!: Date;
}
