import type { JobPayload, renderSharePreview, StoredImage } from '@clearframe/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export type PreviewSource = Pick<JobPayload<typeof renderSharePreview>, 'beforeKey' | 'afterKey' | 'focus'>;

export interface SharePreview extends PreviewSource {
  readonly runId: string;
  readonly status: 'pending' | 'ready' | 'failed';
  readonly image: StoredImage | null;
}

/** A public link to a task. Its owner is the task's. */
@Entity('sharings')
export class SharingRow {
  /** 128 random bits in base64url. */
  @PrimaryColumn('text')
  id!: string;

  /** Null once retention has processed an expired link, which outlives the task. */
  @Column('uuid', { nullable: true })
  taskId!: string | null;

  @Column('jsonb', { nullable: true })
  preview!: SharePreview | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  expiresAt!: Date;
}
