import { DownloadSpec, RenderedImage } from '@clearframe/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { JsonColumn } from '../platform/database/json-column.js';

@Entity('renditions')
export class DownloadRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  taskId!: string;

  /** Null when rendered from the original. */
  @Column('uuid', { nullable: true })
  outputRunId!: string | null;

  @JsonColumn(DownloadSpec)
  rendition!: DownloadSpec;

  /** Equal for the same source and spec, so that a file is rendered once. */
  @Column('text')
  renditionKey!: string;

  @Column('boolean')
  isExport!: boolean;

  @Column('text')
  status!: 'pending' | 'ready' | 'failed';

  @JsonColumn(RenderedImage, { nullable: true })
  image!: RenderedImage | null;

  @Column('timestamptz')
  createdAt!: Date;
}
