import {
  AiPipeline,
  DEFAULT_JPEG_QUALITY,
  DownloadSpec,
  EligibilityLimits,
  EnhancedImage,
  EnhancedVideo,
  hasResult,
  IMAGE_LIMITS,
  type JpegQuality,
  type KeptPart,
  Mask,
  type MediaContentType,
  type MediaType,
  type OutputContentType,
  OutputUpload,
  ProbedVideo,
  ReachedVideoLimit,
  renderLooks,
  type TaskStatus,
} from '@clearframe/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { z } from 'zod';
import { JsonColumn } from '../platform/database/json-column.js';
import { AppError } from '../platform/errors/app-error.js';

const Format = DownloadSpec.pick({ contentType: true, jpegQuality: true });
export type Format = Readonly<z.infer<typeof Format>>;

export const normalizeFormat = ({ contentType, jpegQuality }: Format): Format => ({
  contentType,
  jpegQuality: contentType === 'image/jpeg' ? jpegQuality : DEFAULT_JPEG_QUALITY,
});

const ProcessingLimits = z.object({
  /** Pixels, longest side of a result. */
  maxSide: z.int(),
  /** Pixels, longest side of the copy used for face detection. */
  faceDetectorMaxInput: z.int(),
});
export type ProcessingLimits = Readonly<z.infer<typeof ProcessingLimits>>;

const TaskOutputRow = z.object({
  runId: z.string(),
  number: z.int().optional(),
  image: EnhancedImage,
  order: DownloadSpec,
  /** Not for download: smaller than a result and possibly made with tools outside the plan. */
  isPreview: z.boolean(),
  keepLocation: z.boolean().optional(),
});
export type TaskOutputRow = Readonly<z.infer<typeof TaskOutputRow>>;

const TaskLooks = z.object({
  runId: z.string(),
  /** Run of the result that they show. */
  outputRunId: z.string(),
  status: z.enum(['pending', 'ready', 'failed']),
  images: renderLooks.result.shape.looks,
});
export type TaskLooks = Readonly<z.infer<typeof TaskLooks>>;

/** One enhancement of a video. */
const VideoVersion = EnhancedVideo.extend({ runId: z.string(), number: z.int().optional() });
type VideoVersion = Readonly<z.infer<typeof VideoVersion>>;

const VideoState = z.object({
  limits: EligibilityLimits,
  maxBytes: z.int(),
  /** What the client read from the file. */
  declared: z.object({
    duration: z.number().nullable(),
    width: z.number().nullable(),
    height: z.number().nullable(),
  }),
  /** Null until the file has been read. */
  probe: ProbedVideo.nullable(),
  result: VideoVersion.nullable(),
  /** Results before it, newest first, with the tools that made them. */
  earlier: z.array(VideoVersion.extend({ aiPipeline: AiPipeline })).optional(),
  /** The limit that it is over: `details` of the task's error. */
  limit: ReachedVideoLimit.nullable(),
  /** Source and tools of the result that is kept while the video is enhanced again. Absent in older rows. */
  previous: z.object({ probe: ProbedVideo.nullable(), aiPipeline: AiPipeline }).optional(),
});
export type VideoState = Readonly<z.infer<typeof VideoState>>;

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

type NumberedVersion = VideoVersion & { readonly number: number; readonly aiPipeline: AiPipeline };

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

  @JsonColumn(VideoState, { nullable: true })
  video!: VideoState | null;

  @Column('text')
  status!: TaskStatus;

  @JsonColumn(AiPipeline)
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

  @JsonColumn(DownloadSpec, { nullable: true })
  rendition!: DownloadSpec | null;

  @JsonColumn(ProcessingLimits.extend({ isPreview: z.boolean() }), { nullable: true })
  processing!: (ProcessingLimits & { readonly isPreview: boolean }) | null;

  /** Newest first. */
  @JsonColumn(z.array(TaskOutputRow))
  outputs!: TaskOutputRow[];

  /** Thumbnails of the newest result for which they were requested; null before any request. */
  @JsonColumn(TaskLooks, { nullable: true })
  looks!: TaskLooks | null;

  /** Stored under its own key, see `objectKeys`. */
  @JsonColumn(Mask, { nullable: true })
  mask!: Mask | null;

  /** Null when its first result is sent nowhere. */
  @JsonColumn(OutputUpload, { nullable: true })
  outputUpload!: OutputUpload | null;

  @Column('text', { nullable: true })
  errorCode!: string | null;

  /** Made with a test key. Never changes. */
  @Column('boolean')
  isTest!: boolean;

  @Column('timestamptz', { nullable: true })
  exportedAt!: Date | null;

  @JsonColumn(Format, { nullable: true })
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

/** Pictures sent together, or one video. Its status follows from its tasks. */
@Entity('bulk_uploads')
export class BulkUploadRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  userId!: string;

  @Column('timestamptz')
  createdAt!: Date;

  /** Receives the events of its tasks. */
  @Column('text', { nullable: true })
  callbackUrl!: string | null;
}
