import type { RenderedImage, RenditionOrder } from '@clearframe/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('renditions')
export class RenditionRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  taskId!: string;

  /** Null when rendered from the original. */
  @Column('uuid', { nullable: true })
  outputRunId!: string | null;

  @Column('jsonb')
  rendition!: RenditionOrder;

  /** Equal for the same source and order, so that a file is rendered once. */
  @Column('text')
  renditionKey!: string;

  @Column('boolean')
  isExport!: boolean;

  @Column('text')
  status!: 'pending' | 'ready' | 'failed';

  @Column('jsonb', { nullable: true })
  image!: RenderedImage | null;

  @Column('timestamptz')
  createdAt!: Date;
}
