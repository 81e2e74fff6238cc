import { z } from 'zod';
import { TaskStatus } from '../media/task-states.js';
import { IMAGE_CONTENT_TYPES, MEDIA_CONTENT_TYPES, MEDIA_TYPES } from '../media/types.js';
import { FaceReport, Recipe } from '../pipeline/recipe.js';
import { AiPipeline } from '../pipeline/tools.js';
import { TaskSharing } from './sharings.js';

/** See `exportState` of {@link Task}. */
export const EXPORT_STATES = ['none', 'preparing', 'ready'] as const;
export type ExportState = (typeof EXPORT_STATES)[number];

const ConvertedImage = z.object({ imageContentType: z.enum(IMAGE_CONTENT_TYPES), outputUri: z.url() });

/** One of {@link MEDIA_TYPES}. */
export const MediaTypeField = z.enum(MEDIA_TYPES);

/** Width and height in pixels with orientation applied, size in bytes; null until the file has been read. */
export const TaskInput = z
  .object({
    fileName: z.string().nullable(),
    contentType: z.enum(MEDIA_CONTENT_TYPES),
    width: z.int().nullable(),
    height: z.int().nullable(),
    /** Length of a video in seconds; null for pictures. */
    duration: z.number().nullable(),
    sizeBytes: z.int().nullable(),
    /** Hash of the stored original, in lowercase hex; null before processing starts and for tasks of older versions. */
    sha256: z.string().nullable(),
    convertedImages: z.array(ConvertedImage),
  })
  .meta({ id: 'TaskInput' });

/**
 * A picture and its thumbnail to show in pages: JPEG, or WebP where there is transparency, at most
 * {@link DISPLAY_MAX_SIDE} and {@link THUMBNAIL_MAX_SIDE} pixels, without EXIF. For small screens `mediumUrl` is the
 * picture as WebP of half the bytes, with at most {@link MEDIUM_MAX_SIDE} pixels; null for files of older versions. Of a
 * result they show no more than the result's `url` does. URLs are signed and short-lived; width and height are those of
 * the file at `url`.
 */
export const DisplayImage = z
  .object({ url: z.url(), mediumUrl: z.url().nullable(), thumbnailUrl: z.url(), width: z.int(), height: z.int() })
  .meta({ id: 'DisplayImage' });
export type DisplayImage = z.infer<typeof DisplayImage>;

/**
 * Pictures to show in pages; null until they exist. Originals and results can have any format and size. Of a video they
 * are its first frame.
 */
export const TaskDisplay = z
  .object({
    inputUrl: z.url().nullable(),
    /** See `mediumUrl` of {@link DisplayImage}; of the original. */
    inputMediumUrl: z.url().nullable(),
    /** The file at `outputUrl` of the task, for display. */
    outputUrl: z.url().nullable(),
    /** Shows the result, else the original. */
    thumbnailUrl: z.url().nullable(),
    /** Shows the original. */
    inputThumbnailUrl: z.url().nullable(),
    /** Pixels of the file at `outputUrl`, else of the file at `inputUrl`. */
    width: z.int().nullable(),
    height: z.int().nullable(),
  })
  .meta({ id: 'TaskDisplay' });
export type TaskDisplay = z.infer<typeof TaskDisplay>;

/**
 * A task lists the newest first. `url` is signed and short-lived: request it again instead of storing it. A preview is
 * small and watermarked, and never downloaded, paid for or archived. A video has one, without faces and changes.
 */
export const TaskOutput = z
  .object({
    /** Id of the run that made the output. */
    id: z.uuid(),
    /** Counts the task's results from 1, in the order in which they were made; stays when others are deleted. */
    number: z.int().positive(),
    /** The file for the current plan, which the other fields describe. Null while it is encoded after a change of plan. */
    url: z.url().nullable(),
    contentType: z.enum(MEDIA_CONTENT_TYPES),
    width: z.int(),
    height: z.int(),
    /** Null until it exists. */
    display: DisplayImage.nullable(),
    isPreview: z.boolean(),
    /**
     * Shows the original: no tool was requested, or none changed it visibly. Its file is clean, in full size and free:
     * a download uses no export, and there is nothing to pay.
     */
    isUntouched: z.boolean(),
    hasWatermark: z.boolean(),
    /**
     * The file for the current plan is to come; until then `url` and `display` show less, or are null. Reading the task by
     * itself starts its encoding.
     */
    isEncoding: z.boolean(),
    keepLocation: z.boolean(),
    aiPipeline: AiPipeline,
    convertedImages: z.array(ConvertedImage),
    faces: z.array(FaceReport),
    recipe: Recipe,
    /**
     * Gray picture whose opacity shows how much networks altered each pixel, at most 1024 pixels a side; null where none
     * did. `url` is signed and short-lived.
     */
    changes: z.object({ url: z.url(), width: z.int(), height: z.int() }).nullable(),
  })
  .meta({ id: 'TaskOutput' });
export type TaskOutput = z.infer<typeof TaskOutput>;

/** A photo or video with its results. URLs are signed and short-lived. */
export const Task = z
  .object({
    taskId: z.uuid(),
    bulkUploadId: z.uuid(),
    /** Pictures of its upload; more than one is a batch. */
    bulkUploadSize: z.int().positive(),
    status: TaskStatus,
    /** Progress of processing, 0..1. */
    progress: z.number().min(0).max(1),
    /** Progress of the upload, 0..1. */
    fileProgress: z.number().min(0).max(1),
    /** Position in the queue, 1 being next; 0 while processed; null when not queued. */
    queueWaitNum: z.int().nullable(),
    /** Estimate; null when not queued or nothing has been measured. */
    remainingSeconds: z.int().nullable(),
    mediaType: MediaTypeField,
    aiPipeline: AiPipeline,
    /** Files keep the location (GPS) of the original. */
    keepLocation: z.boolean(),
    /** Whether the file at `outputUrl` has a watermark. */
    hasWatermark: z.boolean(),
    /** Downloaded before: further downloads are free, also while it is processed again. */
    isExported: z.boolean(),
    /**
     * Of the clean file: `preparing` between the payment, or the use of a plan's download, and `isExported`; then
     * `ready`. Poll a task that is preparing: its file costs nothing more.
     */
    exportState: z.enum(EXPORT_STATES),
    inputUrl: z.url().nullable(),
    /** The newest result, previews aside; a preview when there is nothing else. */
    outputUrl: z.url().nullable(),
    outputContentType: z.string(),
    display: TaskDisplay,
    input: TaskInput,
    result: z.object({ outputs: z.array(TaskOutput) }),
    /** The live public link. */
    sharing: TaskSharing.nullable(),
    errorCode: z.string().nullable(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'Task' });
export type Task = z.infer<typeof Task>;

/** The tasks of one upload, and what was asked for. */
export const BulkUpload = z
  .object({
    bulkUploadId: z.uuid(),
    status: TaskStatus,
    taskList: z.array(Task),
    inputTaskList: z.array(z.object({ taskId: z.uuid(), inputUrl: z.url().nullable(), input: TaskInput })),
  })
  .meta({ id: 'BulkUpload' });
export type BulkUpload = z.infer<typeof BulkUpload>;

/** A page of the history, newest first. */
export const TaskList = z
  .object({
    data: z.array(Task),
    /** Pass the last id as `startingAfter` for older tasks; after `endingBefore` the first id for newer ones. */
    hasMore: z.boolean(),
  })
  .meta({ id: 'TaskList' });
export type TaskList = z.infer<typeof TaskList>;
