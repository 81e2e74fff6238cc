import type {
  AiPipeline,
  EnhancedImage,
  ImageContentType,
  JpegQuality,
  OutputContentType,
  RenditionOrder,
  TaskStatus,
} from '@clearframe/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Format } from './format.js';

/** How pictures are processed, as far as operators decide. Settled when work starts, and kept with the task. */
export interface Processing {
  /** Longest side of a result in pixels. */
  readonly maxSide: number;
  /** Longest side in pixels of the copy in which faces are looked for. */
  readonly faceDetectorMaxInput: number;
}

/** A finished run, as the worker reported it. */
export interface TaskOutputRow {
  readonly runId: string;
  readonly image: EnhancedImage;
  /** What its owner may have of it before any download is paid for. */
  readonly order: RenditionOrder;
  /** To be looked at only: its tools may not be in the owner's plan, and it is smaller than a result. */
  readonly isPreview: boolean;
}

/** One picture and what becomes of it. The truth about it is here; the queue only carries hints. */
@Entity('tasks')
export class TaskRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  bulkUploadId!: string;

  @Column('uuid')
  userId!: string;

  /** Place in its upload, from 0. */
  @Column('int')
  position!: number;

  @Column('text')
  status!: TaskStatus;

  @Column('jsonb')
  aiPipeline!: AiPipeline;

  @Column('text')
  outputContentType!: OutputContentType;

  @Column('int')
  jpegQuality!: JpegQuality;

  @Column('text', { nullable: true })
  fileName!: string | null;

  /** As declared, until the bytes have shown their own. */
  @Column('text')
  contentType!: ImageContentType;

  @Column('int', { nullable: true })
  declaredSizeBytes!: number | null;

  @Column('text', { nullable: true })
  sha256!: string | null;

  /** Null until bytes have arrived. */
  @Column('int', { nullable: true })
  sizeBytes!: number | null;

  /** When a task without a file becomes `invalid`; null once a file is known to be in the store. */
  @Column('timestamptz', { nullable: true })
  uploadExpiresAt!: Date | null;

  /** The current or last run; reports of any other are ignored. */
  @Column('uuid', { nullable: true })
  runId!: string | null;

  /** What the caller may have of the current run's result; null before any run. */
  @Column('jsonb', { nullable: true })
  rendition!: RenditionOrder | null;

  /** How the current or last run works; null before any run. */
  @Column('jsonb', { nullable: true })
  processing!: (Processing & { readonly isPreview: boolean }) | null;

  /** Newest first. */
  @Column('jsonb')
  outputs!: TaskOutputRow[];

  @Column('text', { nullable: true })
  errorCode!: string | null;

  /** When its download was paid for, or spent nothing; null before. From then on every result of it is clean. */
  @Column('timestamptz', { nullable: true })
  exportedAt!: Date | null;

  /** The format of the last download. */
  @Column('jsonb', { nullable: true })
  exportFormat!: Format | null;

  @Column('timestamptz')
  createdAt!: Date;

  /** When its media is deleted. */
  @Column('timestamptz')
  expiresAt!: Date;
}
