import { Column, Entity, PrimaryColumn } from 'typeorm';

/** In order. Each has its own idempotency key. */
export type UpgradeStep = 'creating' | 'ending' | 'refunding' | 'done' | 'failed';

/** Stored before its first step, continued by reconciliation. */
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

  /** Refund as previewed. */
  @Column('int')
  refundCents!: number;

  @Column('int', { nullable: true })
  refundedCents!: number | null;

  @Column('timestamptz')
  createdAt!: Date;
}
