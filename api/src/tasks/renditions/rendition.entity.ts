import type { RenderedImage, RenditionOrder } from '@clearframe/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A file made of a result, or of an original that browsers can't show. Its id is the id of the run that makes it. */
@Entity('renditions')
export class RenditionRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  taskId!: string;

  /** The run whose result it is made of; null for the original. */
  @Column('uuid', { nullable: true })
  outputRunId!: string | null;

  @Column('jsonb')
  rendition!: RenditionOrder;

  /** The same source and order have the same key: what is there, or on its way, is not made twice. */
  @Column('text')
  renditionKey!: string;

  /** Made because somebody downloads it: when it is there, the download is spent. */
  @Column('boolean')
  isExport!: boolean;

  @Column('text')
  status!: 'pending' | 'ready' | 'failed';

  @Column('jsonb', { nullable: true })
  image!: RenderedImage | null;

  @Column('timestamptz')
  createdAt!: Date;
}
