import type { EXPERIMENT_STATES } from '@clearframe/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Segment } from './definition.js';

@Entity('experiments')
export class ExperimentRow {
  /** Chosen by the operator. */
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  description!: string;

  @Column('text')
  state!: (typeof EXPERIMENT_STATES)[number];

  /** Fixed: other weights would move visitors between segments. */
  @Column('jsonb')
  segments!: readonly Segment[];

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  startedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  stoppedAt!: Date | null;
}
