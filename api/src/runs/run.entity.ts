import { RunProgressReport, type RunQueue } from '@clearframe/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { JsonColumn } from '../platform/database/json-column.js';

export const OPEN_RUN_STATUSES = ['waiting', 'dispatched'] as const;
type RunStatus = (typeof OPEN_RUN_STATUSES)[number] | 'completed' | 'invalid' | 'failed' | 'cancelled';

/** `background`: after the user's other runs, and never overdue. */
export const RUN_PRIORITY = { paying: 0, free: 1, background: 2 } as const;
export type RunPriority = (typeof RUN_PRIORITY)[keyof typeof RUN_PRIORITY];

/** A run that can't be settled at this attempt, because of a defect, is abandoned. */
export const LAST_ATTEMPT = 40;

/** Work for the worker, from its request to its outcome. */
@Entity('runs')
export class RunRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  kind!: string;

  @Column('uuid')
  subjectId!: string;

  @Column('uuid')
  userId!: string;

  @Column('text')
  queue!: RunQueue;

  @Column('smallint')
  priority!: RunPriority;

  @Column('text')
  status!: RunStatus;

  /** Round in which it is served, among runs of its queue of paying users, or of others. */
  @Column('int')
  turn!: number;

  /** 0..1, never decreases. */
  @Column('real', { default: 0 })
  progress!: number;

  @Column('timestamptz', { nullable: true })
  progressAt!: Date | null;

  @Column('real', { nullable: true })
  progressUntil!: number | null;

  /** Estimate of the rest of the running step. */
  @Column('real', { nullable: true })
  progressSeconds!: number | null;

  /** Estimate of the whole work in seconds, known before it starts; null: by the averages of its kind. */
  @Column('real', { nullable: true })
  estimatedSeconds!: number | null;

  /** Preview of the newest report with one. */
  @JsonColumn(RunProgressReport.shape.previewKeys, { nullable: true })
  previewKeys!: RunProgressReport['previewKeys'] | null;

  @Column('int', { default: 0 })
  attempts!: number;

  /** Millions of pixels of the input; null while unknown. */
  @Column('real', { nullable: true })
  megapixels!: number | null;

  @Column('text', { nullable: true })
  errorCode!: string | null;

  /** Why the last attempt to settle or publish it failed, for operators. */
  @Column('text', { nullable: true })
  reason!: string | null;

  /** W3C Trace Context of the request that ordered it; null where that was not traced. */
  @Column('text', { nullable: true })
  traceparent!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  dispatchedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  startedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;
}
