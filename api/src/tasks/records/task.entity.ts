import {
  type AiPipeline,
  DEFAULT_JPEG_QUALITY,
  type EnhancedImage,
  type ImageContentType,
  type JpegQuality,
  type OutputContentType,
  type RenditionOrder,
  type TaskStatus,
} from '@clearframe/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** File format of a result. */
export interface Format {
  readonly contentType: OutputContentType;
  readonly jpegQuality: JpegQuality;
}

/** Equal for formats that produce the same file: the quality applies to JPEG only. */
export const normalFormat = ({ contentType, jpegQuality }: Format): Format => ({
  contentType,
  jpegQuality: contentType === 'image/jpeg' ? jpegQuality : DEFAULT_JPEG_QUALITY,
});

/** Processing limits set by operators; fixed when a run is ordered and stored with the task. */
export interface ProcessingLimits {
  /** Longest side of a result in pixels. */
  readonly maxSide: number;
  /** Longest side in pixels of the copy used for face detection. */
  readonly faceDetectorMaxInput: number;
}

/** Result of a finished run, as reported by the worker. */
export interface TaskOutputRow {
  readonly runId: string;
  readonly image: EnhancedImage;
  /** What the owner may have of it before a download is paid for. */
  readonly order: RenditionOrder;
  /** Smaller than a result, and possibly made with tools outside the owner's plan: not for download. */
  readonly isPreview: boolean;
}

/** A picture and the state of its processing. */
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

  /** As declared by the client, later as detected. */
  @Column('text')
  contentType!: ImageContentType;

  @Column('int', { nullable: true })
  declaredSizeBytes!: number | null;

  @Column('text', { nullable: true })
  sha256!: string | null;

  /** Null until the file was uploaded. */
  @Column('int', { nullable: true })
  sizeBytes!: number | null;

  /** When a task without a file becomes `invalid`; null once a file is known to be in the store. */
  @Column('timestamptz', { nullable: true })
  uploadExpiresAt!: Date | null;

  /** The current or last run; reports of any other are ignored. */
  @Column('uuid', { nullable: true })
  runId!: string | null;

  /** What the owner may have of the current run's result; null before any run. */
  @Column('jsonb', { nullable: true })
  rendition!: RenditionOrder | null;

  /** Settings of the current or last run; null before any run. */
  @Column('jsonb', { nullable: true })
  processing!: (ProcessingLimits & { readonly isPreview: boolean }) | null;

  /** Newest first. */
  @Column('jsonb')
  outputs!: TaskOutputRow[];

  @Column('text', { nullable: true })
  errorCode!: string | null;

  /** Time of the first download; null before. Every result is clean from then on. */
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
