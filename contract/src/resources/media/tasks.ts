import { z } from 'zod';
import { defineRoute } from '../../http/route.js';
import { STORED_TASK_STATUSES, StoredTaskStatus, TaskStatus } from '../../media/task-states.js';
import { IMAGE_CONTENT_TYPES } from '../../media/types.js';
import { FaceReport, Recipe } from '../../pipeline/recipe.js';
import { AiPipeline } from '../../pipeline/tools.js';
import { TaskSharing } from './sharings.js';
import { AddToBulkUpload, BulkUploadCreated, CreateBulkUpload, ProcessBulkUpload } from './uploads.js';

const ConvertedImage = z.object({ imageContentType: z.enum(IMAGE_CONTENT_TYPES), outputUri: z.url() });

const MediaType = z.enum(['image', 'video']);

/** A query parameter that can be sent several times. */
const repeatable = <Item extends z.ZodType<unknown, string>>(item: Item, max: number) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((values) => [...new Set([values].flat())])
    .pipe(z.array(item).min(1).max(max));

/** Width and height in pixels with orientation applied, size in bytes; null until the file has been read. */
export const TaskInput = z
  .object({
    fileName: z.string().nullable(),
    contentType: z.enum(IMAGE_CONTENT_TYPES),
    width: z.int().nullable(),
    height: z.int().nullable(),
    sizeBytes: z.int().nullable(),
    /** Of the stored original, in lowercase hex; null before processing starts and for tasks of older versions. */
    sha256: z.string().nullable(),
    convertedImages: z.array(ConvertedImage),
  })
  .meta({ id: 'TaskInput' });

/**
 * A picture and its thumbnail to show in pages: JPEG, or WebP where there is transparency, at most
 * {@link DISPLAY_MAX_SIDE} and {@link THUMBNAIL_MAX_SIDE} pixels, without EXIF. Of a result it shows no more than the
 * result's `url` does. URLs are signed and short-lived; width and height are those of the larger file.
 */
export const DisplayImage = z
  .object({ url: z.url(), thumbnailUrl: z.url(), width: z.int(), height: z.int() })
  .meta({ id: 'DisplayImage' });
export type DisplayImage = z.infer<typeof DisplayImage>;

/** Files to show in pages; null until they exist. Originals and results can have any format and size. */
export const TaskDisplay = z
  .object({
    inputUrl: z.url().nullable(),
    /** Of the result at `outputUrl` of the task. */
    outputUrl: z.url().nullable(),
    /** Of the result, else of the original. */
    thumbnailUrl: z.url().nullable(),
    /** Of the original. */
    inputThumbnailUrl: z.url().nullable(),
    /** Of the file at `outputUrl`, else of that at `inputUrl`. */
    width: z.int().nullable(),
    height: z.int().nullable(),
  })
  .meta({ id: 'TaskDisplay' });
export type TaskDisplay = z.infer<typeof TaskDisplay>;

/**
 * A task lists the newest first. `url` is signed and short-lived: request it again instead of storing it. A preview is
 * small and watermarked, and never downloaded, paid for or archived.
 */
export const TaskOutput = z
  .object({
    /** Of the run that made it. */
    id: z.uuid(),
    /** By the plan of today. Null while a file for a changed plan is encoded; the other fields describe that file. */
    url: z.url().nullable(),
    contentType: z.enum(IMAGE_CONTENT_TYPES),
    width: z.int(),
    height: z.int(),
    /** Null until it exists. */
    display: DisplayImage.nullable(),
    isPreview: z.boolean(),
    hasWatermark: z.boolean(),
    aiPipeline: AiPipeline,
    convertedImages: z.array(ConvertedImage),
    faces: z.array(FaceReport),
    recipe: Recipe,
    /**
     * Grey picture whose opacity shows how much networks altered each pixel, at most 1024 pixels a side; null where none
     * did. `url` is signed and short-lived.
     */
    changes: z.object({ url: z.url(), width: z.int(), height: z.int() }).nullable(),
  })
  .meta({ id: 'TaskOutput' });
export type TaskOutput = z.infer<typeof TaskOutput>;

export const Task = z
  .object({
    taskId: z.uuid(),
    bulkUploadId: z.uuid(),
    /** Pictures of its upload; more than one is a batch. */
    bulkUploadSize: z.int().positive(),
    status: TaskStatus,
    /** Of processing, 0..1. */
    progress: z.number().min(0).max(1),
    /** Of the upload, 0..1. */
    fileProgress: z.number().min(0).max(1),
    /** Position in the queue, 1 being next; 0 while processed; null when not queued. */
    queueWaitNum: z.int().nullable(),
    /** Estimate; null when not queued or nothing has been measured. */
    remainingSeconds: z.int().nullable(),
    mediaType: MediaType,
    aiPipeline: AiPipeline,
    /** Files keep the location (GPS) of the original. */
    keepLocation: z.boolean(),
    /** Of the file at `outputUrl`. */
    hasWatermark: z.boolean(),
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
    /** When the media are deleted. */
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'Task' });
export type Task = z.infer<typeof Task>;

export const BulkUpload = z
  .object({
    bulkUploadId: z.uuid(),
    status: TaskStatus,
    taskList: z.array(Task),
    inputTaskList: z.array(z.object({ taskId: z.uuid(), inputUrl: z.url().nullable(), input: TaskInput })),
  })
  .meta({ id: 'BulkUpload' });
export type BulkUpload = z.infer<typeof BulkUpload>;

export const TASK_LIST_MAX = 100;

export const TaskList = z
  .object({
    data: z.array(Task),
    /** Pass the last id as `startingAfter` for older tasks; after `endingBefore` the first id for newer ones. */
    hasMore: z.boolean(),
  })
  .meta({ id: 'TaskList' });
export type TaskList = z.infer<typeof TaskList>;

const bulkUploadParams = z.object({ bulkUploadId: z.uuid() });
const taskParams = z.object({ taskId: z.uuid() });

/** Of every route that accepts pictures or pipelines. */
export const PLAN_ERRORS = [
  'pipeline.not_in_plan',
  'outputs.format_not_in_plan',
  'outputs.format_not_available',
  'batch.not_in_plan',
  'batch.too_many_files',
] as const;

export const taskRoutes = {
  createBulkUpload: defineRoute({
    method: 'POST',
    path: '/tasks/bulk-upload',
    tag: 'tasks',
    summary: 'Create an upload and get the addresses to send the files to',
    allow: { sessionOrKey: 'media' },
    body: CreateBulkUpload,
    responses: { 201: BulkUploadCreated },
    errors: PLAN_ERRORS,
    limit: 'writes',
    idempotent: true,
  }),
  addToBulkUpload: defineRoute({
    method: 'POST',
    path: '/tasks/bulk-upload/:bulkUploadId',
    tag: 'tasks',
    summary: 'Add pictures to an upload that has not ended, at most 15 in all',
    allow: { sessionOrKey: 'media' },
    params: bulkUploadParams,
    body: AddToBulkUpload,
    responses: { 201: BulkUploadCreated },
    errors: ['bulk_uploads.not_found', 'bulk_uploads.already_processed', ...PLAN_ERRORS],
    limit: 'writes',
    idempotent: true,
  }),
  processBulkUpload: defineRoute({
    method: 'POST',
    path: '/tasks/bulk-upload/:bulkUploadId/process',
    tag: 'tasks',
    summary: 'Start processing the uploaded pictures; idempotent, repeated as more files are uploaded',
    allow: { sessionOrKey: 'media' },
    params: bulkUploadParams,
    body: ProcessBulkUpload.optional(),
    responses: { 202: BulkUpload },
    errors: [
      'bulk_uploads.not_found',
      'tasks.not_found',
      'uploads.missing',
      'uploads.empty',
      'uploads.too_large',
      'uploads.unsupported_type',
      'uploads.size_mismatch',
      'uploads.checksum_mismatch',
      'queue.full',
    ],
    limit: 'writes',
    idempotent: true,
  }),
  getBulkUpload: defineRoute({
    method: 'GET',
    path: '/tasks/bulk-upload/:bulkUploadId',
    tag: 'tasks',
    summary: 'Get an upload and its tasks',
    allow: { sessionOrKey: 'media' },
    params: bulkUploadParams,
    responses: { 200: BulkUpload },
    errors: ['bulk_uploads.not_found'],
    limit: 'reads',
  }),
  archiveBulkUpload: defineRoute({
    method: 'GET',
    path: '/tasks/bulk-upload/:bulkUploadId/archive',
    tag: 'tasks',
    summary: 'Download the results of an upload as a ZIP, each as the user’s plan allows',
    allow: { sessionOrKey: 'media' },
    params: bulkUploadParams,
    responses: { 200: null },
    file: 'application/zip',
    errors: ['bulk_uploads.not_found', 'tasks.wrong_state'],
    limit: 'reads',
  }),
  archiveTasks: defineRoute({
    method: 'GET',
    path: '/tasks/archive',
    tag: 'tasks',
    summary: 'Download results of tasks as a ZIP, each as the user’s plan allows; tasks without a result are left out',
    allow: { sessionOrKey: 'media' },
    query: z.object({
      /** Repeatable. */
      taskIds: repeatable(z.uuid(), TASK_LIST_MAX),
    }),
    responses: { 200: null },
    file: 'application/zip',
    errors: ['tasks.not_found', 'tasks.wrong_state'],
    limit: 'reads',
  }),
  listTasks: defineRoute({
    method: 'GET',
    path: '/tasks',
    tag: 'tasks',
    summary: 'List tasks, newest first, by kind and status',
    allow: { sessionOrKey: 'media' },
    query: z
      .object({
        limit: z.coerce.number().int().min(1).max(TASK_LIST_MAX).default(20),
        /** Id of a page's last task, to get the next page. */
        startingAfter: z.uuid().optional(),
        /** Id of a page's first task, to get the previous page; `hasMore` then means newer tasks. */
        endingBefore: z.uuid().optional(),
        mediaType: MediaType.optional(),
        /** Repeatable. */
        status: repeatable(StoredTaskStatus, STORED_TASK_STATUSES.length).optional(),
      })
      .refine(({ startingAfter, endingBefore }) => !startingAfter || !endingBefore, {
        error: 'Send either starting_after or ending_before',
        path: ['endingBefore'],
      }),
    responses: { 200: TaskList },
    errors: ['tasks.not_found'],
    limit: 'reads',
  }),
  getTask: defineRoute({
    method: 'GET',
    path: '/tasks/:taskId',
    tag: 'tasks',
    summary: 'Get a task',
    allow: { sessionOrKey: 'media' },
    params: taskParams,
    responses: { 200: Task },
    errors: ['tasks.not_found'],
    limit: 'reads',
  }),
  cancelTask: defineRoute({
    method: 'POST',
    path: '/tasks/:taskId/cancel',
    tag: 'tasks',
    summary: 'Cancel a task that is not finished; idempotent',
    allow: { sessionOrKey: 'media' },
    params: taskParams,
    responses: { 200: Task },
    errors: ['tasks.not_found', 'tasks.wrong_state'],
    limit: 'writes',
  }),
  deleteTasks: defineRoute({
    method: 'DELETE',
    path: '/tasks/delete',
    tag: 'tasks',
    summary: 'Delete tasks and their files at once',
    allow: { sessionOrKey: 'media' },
    body: z.object({ taskIds: z.array(z.uuid()).min(1).max(100) }).meta({ id: 'DeleteTasks' }),
    responses: { 204: null },
    errors: ['tasks.not_found'],
    limit: 'writes',
  }),
} as const;
