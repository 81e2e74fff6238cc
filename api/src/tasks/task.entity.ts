import {
  type AiPipeline,
  DEFAULT_JPEG_QUALITY,
  type DownloadSpec,
  type EligibilityLimits,
  type EnhancedImage,
  type EnhancedVideo,
  hasResult,
  IMAGE_LIMITS,
  type JobResult,
  type JpegQuality,
  type KeptPart,
  type MediaContentType,
  type MediaType,
  type OutputContentType,
  type ProbedVideo,
  type ReachedVideoLimit,
  type renderLooks,
  type TaskStatus,
} from '@clearframe/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';

export interface Format {
  readonly contentType: OutputContentType;
  readonly jpegQuality: JpegQuality;
}

export const normalizeFormat = ({ contentType, jpegQuality }: Format): Format => ({
  contentType,
  jpegQuality: contentType === 'image/jpeg' ? jpegQuality : DEFAULT_JPEG_QUALITY,
});

export interface ProcessingLimits {
  /** Pixels, longest side of a result. */
  readonly maxSide: number;
  /** Pixels, longest side of the copy used for face detection. */
  readonly faceDetectorMaxInput: number;
}

export interface TaskOutputRow {
  readonly runId: string;
  readonly number?: number;
  readonly image: EnhancedImage;
  readonly order: DownloadSpec;
  /** Not for download: smaller than a result and possibly made with tools outside the plan. */
  readonly isPreview: boolean;
  readonly keepLocation?: boolean;
}

export interface TaskLooks {
  readonly runId: string;
  /** Run of the result that they show. */
  readonly outputRunId: string;
  readonly status: 'pending' | 'ready' | 'failed';
  readonly images: JobResult<typeof renderLooks>['looks'];
}

/** One enhancement of a video. */
export type VideoVersion = EnhancedVideo & { readonly runId: string; readonly number?: number };

export interface VideoState {
  readonly limits: EligibilityLimits;
  readonly maxBytes: number;
  /** What the client read from the file. */
  readonly declared: {
    readonly duration: number | null;
    readonly width: number | null;
    readonly height: number | null;
  };
  /** Null until the file has been read. */
  readonly probe: ProbedVideo | null;
  readonly result: VideoVersion | null;
  /** Results before it, newest first, with the tools that made them. */
  readonly earlier?: readonly (VideoVersion & { readonly aiPipeline: AiPipeline })[];
  /** The limit that it is over: `details` of the task's error. */
  readonly limit: ReachedVideoLimit | null;
  /** Source and tools of the result that is kept while the video is enhanced again. Absent in older rows. */
  readonly previous?: Pick<VideoState, 'probe'> & { readonly aiPipeline: AiPipeline };
}

export type VideoRow = TaskRow & { readonly mediaType: 'video'; readonly video: VideoState };

export const isVideo = (task: TaskRow): task is VideoRow => task.mediaType === 'video' && task.video !== null;

/** Finished, with a file to download, share or archive. A preview is none. */
export const hasFinishedFile = (task: TaskRow): boolean =>
  hasResult(task.status) && (isVideo(task) ? task.video.result !== null : newestResultOf(task) !== undefined);

export const uploadLimitsOf = ({ mediaType, video }: Pick<TaskRow, 'mediaType' | 'video'>) => ({
  mediaType,
  maxBytes: video?.maxBytes ?? IMAGE_LIMITS.maxBytes,
});

export function numbersOf(outputs: readonly Pick<TaskOutputRow, 'number'>[]): number[] {
  let last = 0;
  return outputs
    .toReversed()
    .map(({ number }) => {
      last = number ?? last + 1;
      return last;
    })
    .toReversed();
}

export type NumberedVersion = VideoVersion & { readonly number: number; readonly aiPipeline: AiPipeline };

/** Newest first, with the tools that made each. */
export function versionsOf({ aiPipeline, video: { result, earlier = [], previous } }: VideoRow): NumberedVersion[] {
  const all = result ? [{ ...result, aiPipeline: previous?.aiPipeline ?? aiPipeline }, ...earlier] : [];
  const numbers = numbersOf(all);
  return all.map((version, index) => ({ ...version, number: numbers[index] ?? 1 }));
}

/** The newest result that is not a preview: the one to download, pay for, convert and archive. */
export const newestResultOf = ({ outputs }: Pick<TaskRow, 'outputs'>): TaskOutputRow | undefined =>
  outputs.find(({ isPreview }) => !isPreview);

/** The result that represents a task; a preview only if there is nothing else. */
export const currentOf = ({ outputs }: Pick<TaskRow, 'outputs'>): TaskOutputRow | undefined =>
  newestResultOf({ outputs }) ?? outputs[0];

export const keptPartsOf = ({ outputs }: Pick<TaskRow, 'outputs'>): KeptPart[] =>
  outputs.flatMap(({ image }) => image.kept ?? []);

@Entity('tasks')
export class TaskRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  bulkUploadId!: string;

  @Column('uuid')
  userId!: string;

  @Column('int')
  position!: number;

  @Column('text', { default: 'image' })
  mediaType!: MediaType;

  @Column('jsonb', { nullable: true })
  video!: VideoState | null;

  @Column('text')
  status!: TaskStatus;

  @Column('jsonb')
  aiPipeline!: AiPipeline;

  /** Used for pictures; a video becomes an MP4. */
  @Column('text')
  outputContentType!: OutputContentType;

  @Column('int')
  jpegQuality!: JpegQuality;

  @Column('boolean')
  keepLocation!: boolean;

  @Column('text', { nullable: true })
  fileName!: string | null;

  @Column('text')
  contentType!: MediaContentType;

  @Column('int', { nullable: true })
  declaredSizeBytes!: number | null;

  @Column('text', { nullable: true })
  sha256!: string | null;

  /** SHA-256 of the stored file in lowercase hex; null before processing and in tasks of older versions. */
  @Column('text', { nullable: true })
  originalSha256!: string | null;

  @Column('int', { nullable: true })
  sizeBytes!: number | null;

  @Column('timestamptz', { nullable: true })
  uploadExpiresAt!: Date | null;

  @Column('uuid', { nullable: true })
  runId!: string | null;

  @Column('jsonb', { nullable: true })
  rendition!: DownloadSpec | null;

  @Column('jsonb', { nullable: true })
  processing!: (ProcessingLimits & { readonly isPreview: boolean }) | null;

  /** Newest first. */
  @Column('jsonb')
  outputs!: TaskOutputRow[];

  /** Thumbnails of the newest result for which they were ordered; null before any order. */
  @Column('jsonb', { nullable: true })
  looks!: TaskLooks | null;

  @Column('text', { nullable: true })
  errorCode!: string | null;

  @Column('timestamptz', { nullable: true })
  exportedAt!: Date | null;

  @Column('jsonb', { nullable: true })
  exportFormat!: Format | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  expiresAt!: Date;
}

/** The task's state doesn't allow the operation. */
export const wrongState = ({ status }: Pick<TaskRow, 'status'>): AppError =>
  new AppError('tasks.wrong_state', { details: { status } });

/** @throws AppError `tasks.not_found` */
export function requireTask(task: TaskRow | null): TaskRow {
  if (!task) throw new AppError('tasks.not_found');
  return task;
}
