import { z } from 'zod';
import { defineRoute } from '../../http/route.js';
import { IMAGE_CONTENT_TYPES, IMAGE_LIMITS, JPEG_QUALITIES } from '../../media/types.js';
import { FaceReport, Recipe } from '../../pipeline/recipe.js';
import { AiPipeline } from '../../pipeline/tools.js';
import { TaskStatus } from '../../tasks/states.js';

/** Any text without control characters: names are displayed and sent in headers. */
const FileName = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .regex(/^\P{Cc}*$/u, { error: 'Control characters are not allowed' });

/** One of the two available JPEG qualities. */
export const JpegQualityField = z.union(
  JPEG_QUALITIES.map((quality) => z.literal(quality)),
  { error: ({ input }) => `Output format not available: image/jpeg of quality ${String(input).slice(0, 20)}` },
);

/** A picture to be uploaded. */
export const ImageInput = z
  .object({
    imageContentType: z.enum(IMAGE_CONTENT_TYPES),
    /** A plain string here, so that the error can name an unknown format. Absent: the plan's default. */
    outputContentType: z.string().max(100).optional(),
    /** Absent: the user's saved default, else faces and background. */
    aiPipeline: AiPipeline.optional(),
    fileName: FileName.optional(),
    sizeBytes: z.int().positive().max(IMAGE_LIMITS.maxBytes).optional(),
    /** Lowercase hex. */
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
    jpegQuality: JpegQualityField.optional(),
  })
  .meta({ id: 'ImageInput' });
export type ImageInput = z.infer<typeof ImageInput>;

/** Uploads over the plan's limit get their own error code; over this many, validation fails. */
const InputTaskList = z.array(ImageInput).min(1).max(100);

/** One picture in the body itself, or several (a batch) in `input_task_list`. */
export const CreateBulkUpload = ImageInput.partial({ imageContentType: true })
  .extend({ inputTaskList: InputTaskList.optional() })
  .superRefine((body, issues) => {
    if (!body.inputTaskList && !body.imageContentType) {
      issues.addIssue({ code: 'custom', path: ['imageContentType'], message: 'Required, or send input_task_list' });
    }
  })
  .meta({ id: 'CreateBulkUpload' });
export type CreateBulkUpload = z.infer<typeof CreateBulkUpload>;

/** The pictures in a request to create an upload, in either of its two forms. */
export function imageInputsOf({ inputTaskList, imageContentType, ...rest }: CreateBulkUpload): ImageInput[] {
  if (inputTaskList) return inputTaskList;
  return imageContentType ? [{ ...rest, imageContentType }] : [];
}

export const AddToBulkUpload = z.object({ inputTaskList: InputTaskList }).meta({ id: 'AddToBulkUpload' });

/** Where to send a task's bytes: by PUT, with exactly these headers, before the address expires. */
export const UploadTarget = z
  .object({
    taskId: z.uuid(),
    status: TaskStatus,
    uploadUrl: z.url(),
    uploadHeaders: z.record(z.string(), z.string()),
  })
  .meta({ id: 'UploadTarget' });
export type UploadTarget = z.infer<typeof UploadTarget>;

export const BulkUploadCreated = z
  .object({ bulkUploadId: z.uuid(), status: TaskStatus, taskList: z.array(UploadTarget) })
  .meta({ id: 'BulkUploadCreated' });
export type BulkUploadCreated = z.infer<typeof BulkUploadCreated>;

const ConvertedImage = z.object({ imageContentType: z.enum(IMAGE_CONTENT_TYPES), outputUri: z.url() });

/** The uploaded file. Width and height in pixels with orientation applied, size in bytes; null until it has been read. */
export const TaskInput = z
  .object({
    fileName: z.string().nullable(),
    contentType: z.enum(IMAGE_CONTENT_TYPES),
    width: z.int().nullable(),
    height: z.int().nullable(),
    sizeBytes: z.int().nullable(),
    convertedImages: z.array(ConvertedImage),
  })
  .meta({ id: 'TaskInput' });

/** A result; a task lists the newest first. Its address is signed and short-lived: request it again instead of storing it. */
export const TaskOutput = z
  .object({
    url: z.url(),
    contentType: z.enum(IMAGE_CONTENT_TYPES),
    width: z.int(),
    height: z.int(),
    aiPipeline: AiPipeline,
    convertedImages: z.array(ConvertedImage),
    faces: z.array(FaceReport),
    recipe: Recipe,
  })
  .meta({ id: 'TaskOutput' });
export type TaskOutput = z.infer<typeof TaskOutput>;

export const Task = z
  .object({
    taskId: z.uuid(),
    bulkUploadId: z.uuid(),
    status: TaskStatus,
    /** Progress of processing, 0..1. */
    progress: z.number().min(0).max(1),
    /** Progress of the upload, 0..1. */
    fileProgress: z.number().min(0).max(1),
    /** Position in the queue, 1 being next; 0 while it is processed; null when it is not queued. */
    queueWaitNum: z.int().nullable(),
    /** Estimated seconds until it is finished; null when it is not queued or there is no measurement yet. */
    remainingSeconds: z.int().nullable(),
    mediaType: z.enum(['image', 'video']),
    aiPipeline: AiPipeline,
    hasWatermark: z.boolean(),
    inputUrl: z.url().nullable(),
    outputUrl: z.url().nullable(),
    outputContentType: z.string(),
    input: TaskInput,
    result: z.object({ outputs: z.array(TaskOutput) }),
    errorCode: z.string().nullable(),
    createdAt: z.iso.datetime(),
    /** When its media are deleted. */
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

/** Maximum length of a page of tasks. */
export const TASK_LIST_MAX = 100;

export const TaskList = z
  .object({
    data: z.array(Task),
    /** Older tasks exist: pass the last id as `startingAfter`. */
    hasMore: z.boolean(),
  })
  .meta({ id: 'TaskList' });
export type TaskList = z.infer<typeof TaskList>;

const bulkUploadParams = z.object({ bulkUploadId: z.uuid() });
const taskParams = z.object({ taskId: z.uuid() });

/** Errors of every route that accepts pictures or pipelines. */
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
    summary: 'Add pictures to an upload that has not been processed yet',
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
    summary: 'Start processing the uploaded pictures; repeating the call changes nothing',
    allow: { sessionOrKey: 'media' },
    params: bulkUploadParams,
    responses: { 202: BulkUpload },
    errors: [
      'bulk_uploads.not_found',
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
  listTasks: defineRoute({
    method: 'GET',
    path: '/tasks',
    tag: 'tasks',
    summary: 'List tasks, newest first',
    allow: { sessionOrKey: 'media' },
    query: z.object({
      limit: z.coerce.number().int().min(1).max(TASK_LIST_MAX).default(20),
      /** Id of the last task of the previous page. */
      startingAfter: z.uuid().optional(),
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
    summary: 'Cancel a task that is not finished; repeating the call changes nothing',
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
