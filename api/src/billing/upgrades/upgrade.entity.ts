import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The steps of an upgrade in order. Each has its own idempotency key. */
export type UpgradeStep = 'creating' | 'ending' | 'refunding' | 'done' | 'failed';

/** An upgrade: stored before its first step, continued by reconciliation. */
@Entity('upgrades')
export class UpgradeRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { nullable: true })
  userId!: string | null;

  @Column('uuid')
  oldSubscriptionId!: string;

  @Column('uuid')
  newSubscriptionId!: string;

  @Column('text')
  step!: UpgradeStep;

  /** The refund that the preview showed. */
  @Column('int')
  refundCents!: number;

  /** The actual refund; null before. */
  @Column('int', { nullable: true })
  refundedCents!: number | null;

  @Column('timestamptz')
  createdAt!: Date;
}
