import type { PurchaseKind } from '@clearframe/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProviderName } from '../providers/payment-provider.js';

@Entity('checkouts')
export class CheckoutRow {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') userId!: string;
  @Column('text') provider!: ProviderName;
  @Column('text') kind!: PurchaseKind;
  @Column('text') priceId!: string;
  @Column('text', { nullable: true }) introPriceId!: string | null;
  @Column('boolean') trial!: boolean;
  /** The task to unlock, or to return to. */
  @Column('uuid', { nullable: true }) taskId!: string | null;
  @Column('int') unlockedExports!: number;
  @Column('text', { nullable: true }) version!: string | null;
  /** Row of the subscription that is upgraded or changed, or whose invoice a retry pays. */
  @Column('uuid', { nullable: true }) subscriptionId!: string | null;
  /** `custom_id` at the wallet: `{webUserId}-{suffix}`. Null by card. */
  @Column('text', { nullable: true }) customId!: string | null;
  @Column('text', { nullable: true }) receiptEmail!: string | null;
  @Column('timestamptz') createdAt!: Date;
}
