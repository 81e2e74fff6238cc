import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The steps of an upgrade, in their order. Each is done with a key of its own, so that repeating it changes nothing. */
export type UpgradeStep = 'creating' | 'ending' | 'refunding' | 'done' | 'failed';

/** An upgrade under way: written down before its first step, carried on by whoever finds it unfinished. */
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

  /** What the preview promised to give back. */
  @Column('int')
  refundCents!: number;

  /** What was given back; null until then. */
  @Column('int', { nullable: true })
  refundedCents!: number | null;

  @Column('timestamptz')
  createdAt!: Date;
}
