import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { STORED_TASK_STATUSES, StoredTaskStatus } from '../media/task-states.js';
import { ARCHIVE_PART, JPEG_QUALITIES } from '../media/types.js';
import { megabytes } from '../units.js';
import { USAGE_ERRORS } from './plugin-keys.js';
import { repeatable } from './repeatable.js';
import { BulkUpload, MediaTypeField, Task, TaskList } from './task.js';
import { UPLOAD_TOKEN_ERRORS } from './upload-tokens.js';
import {
  AddToBulkUpload,
  BulkUploadCreated,
  CreateBulkUpload,
  JpegQualityField,
  ProcessBulkUpload,
  RESULT_FORMATS,
  UploadTarget,
} from './uploads.js';
import { CALLBACK_ERRORS } from './webhook-url.js';

/** Most tasks of a page of the history. */
export const TASK_LIST_MAX = 100;

const bulkUploadParams = z.object({ bulkUploadId: z.uuid().describe('Id of the upload.') });
const taskParams = z.object({ taskId: z.uuid().describe('Id of the task.') });

/** Errors of every route that accepts pictures or pipelines. */
export const PLAN_ERRORS = [
  'pipeline.not_in_plan',
  'outputs.format_not_in_plan',
  'outputs.format_not_available',
  'batch.not_in_plan',
  'batch.too_many_files',
] as const;

/** Errors of every route that announces pictures. */
const ANNOUNCE_ERRORS = [...PLAN_ERRORS, 'plugin_keys.required', 'uploads.too_large'] as const;

/** Format of the pictures of an archive; absent: the format of each. Not an enum, so that the error can name an unknown one. */
const ARCHIVE_FORMAT = {
  outputContentType: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(`Media type of the pictures in the archive: ${RESULT_FORMATS} Default: the format of each.`),
  jpegQuality: z.coerce
    .number()
    .pipe(JpegQualityField)
    .optional()
    .meta({ type: 'integer', enum: JPEG_QUALITIES })
    .describe('Quality of JPEG pictures, in percent. Default: 90.'),
};

const FORMAT_ERRORS = ['outputs.format_not_available', 'outputs.format_not_in_plan'] as const;

/** A ZIP with some of an upload's results. */
export const ArchivePart = z
  .object({
    part: z.int().min(1).describe('Number of the part, from 1.'),
    fileName: z.string().describe('Name of the ZIP.'),
    pictures: z.int().min(1).max(ARCHIVE_PART.maxPictures).describe('Pictures in it.'),
    sizeBytes: z.int().describe('Size of these pictures in bytes. The ZIP is larger by about 200 bytes for each.'),
    url: z.url().describe('Address of the ZIP, for a GET with the credentials of this call.'),
  })
  .meta({ id: 'ArchivePart' });
export type ArchivePart = z.infer<typeof ArchivePart>;

/** All parts of an upload's results, in their order. */
export const ArchiveParts = z
  .object({ data: z.array(ArchivePart).describe('The parts.') })
  .meta({ id: 'ArchiveParts' });
export type ArchiveParts = z.infer<typeof ArchiveParts>;

/** Photos: upload, processing, history, deletion. */
export const taskRoutes = {
  createBulkUpload: defineRoute({
    method: 'POST',
    path: '/tasks/bulk-upload',
    tag: 'uploads',
    summary: 'Create an upload',
    description:
      'Announces one picture, or a batch in `input_task_list`, and returns an address for each file. Send the bytes there by PUT with the returned headers, then call `processBulkUpload`.',
    enhances: true,
    allow: { sessionOrKey: 'media:write' },
    body: CreateBulkUpload,
    responses: { 201: BulkUploadCreated },
    errors: ['service.country_blocked', ...ANNOUNCE_ERRORS, ...CALLBACK_ERRORS],
    limit: 'writes',
    idempotent: true,
  }),
  addToBulkUpload: defineRoute({
    method: 'POST',
    path: '/tasks/bulk-upload/:bulkUploadId',
    tag: 'uploads',
    summary: 'Add pictures to an upload',
    description: 'Announces more pictures of an upload that has not ended, at most 15 in all, by a key 500.',
    enhances: true,
    allow: { sessionOrKey: 'media:write' },
    params: bulkUploadParams,
    body: AddToBulkUpload,
    responses: { 201: BulkUploadCreated },
    errors: ['service.country_blocked', 'bulk_uploads.not_found', 'bulk_uploads.already_processed', ...ANNOUNCE_ERRORS],
    limit: 'writes',
    idempotent: true,
  }),
  processBulkUpload: defineRoute({
    method: 'POST',
    path: '/tasks/bulk-upload/:bulkUploadId/process',
    tag: 'uploads',
    summary: 'Start processing an upload',
    description:
      'Checks the files that have been sent and starts enhancing them. Idempotent: call it again as more files are sent.',
    enhances: true,
    allow: { sessionOrKey: 'media:write' },
    params: bulkUploadParams,
    body: ProcessBulkUpload.optional(),
    responses: { 202: BulkUpload },
    errors: [
      'service.country_blocked',
      'bulk_uploads.not_found',
      'tasks.not_found',
      'tasks.wrong_state',
      'uploads.missing',
      'uploads.empty',
      'uploads.too_large',
      'uploads.too_many_pixels',
      'uploads.unsupported_type',
      'uploads.size_mismatch',
      'uploads.checksum_mismatch',
      'queue.full',
      ...USAGE_ERRORS,
    ],
    limit: 'writes',
    idempotent: true,
  }),
  getBulkUpload: defineRoute({
    method: 'GET',
    path: '/tasks/bulk-upload/:bulkUploadId',
    tag: 'uploads',
    summary: 'Get an upload',
    description: 'Returns the upload with its tasks. Poll it until its status is `completed`.',
    allow: { sessionOrKey: 'media:read' },
    params: bulkUploadParams,
    responses: { 200: BulkUpload },
    errors: ['bulk_uploads.not_found'],
    limit: 'reads',
  }),
  createBulkUploadArchive: defineRoute({
    method: 'POST',
    path: '/tasks/bulk-upload/:bulkUploadId/archive',
    tag: 'uploads',
    summary: 'Prepare an archive in another format',
    description:
      'Encodes the results of an upload in another format: 202 while they are being encoded, 200 when `downloadBulkUploadArchive` can hold them.',
    allow: { sessionOrKey: 'media:write' },
    params: bulkUploadParams,
    body: z
      .object({
        outputContentType: z
          .string()
          .min(1)
          .max(100)
          .describe(`Media type of the pictures in the archive: ${RESULT_FORMATS}`),
        jpegQuality: JpegQualityField.optional().describe('Quality of JPEG pictures, in percent. Default: 90.'),
      })
      .meta({ id: 'PrepareArchive' }),
    responses: { 202: BulkUpload, 200: BulkUpload },
    errors: ['bulk_uploads.not_found', 'queue.full', ...FORMAT_ERRORS],
    limit: 'writes',
    idempotent: true,
  }),
  downloadBulkUploadArchive: defineRoute({
    method: 'GET',
    path: '/tasks/bulk-upload/:bulkUploadId/archive',
    tag: 'uploads',
    summary: 'Download an upload as a ZIP',
    description:
      'Returns the results of the upload, each as the plan allows. 503 while a file of the plan is missing or being encoded. Another format must be prepared by `createBulkUploadArchive` first. Download large uploads in parts: see `listBulkUploadArchiveParts`.',
    allow: { sessionOrKey: 'media:read' },
    params: bulkUploadParams,
    query: z.object({
      ...ARCHIVE_FORMAT,
      part: z.coerce
        .number()
        .pipe(z.int().min(1))
        .optional()
        .meta({ type: 'integer', minimum: 1 })
        .describe('Number of a part, as listed by `listBulkUploadArchiveParts`. Default: everything in one ZIP.'),
    }),
    responses: { 200: null },
    file: ['application/zip'],
    errors: ['bulk_uploads.not_found', 'tasks.wrong_state', ...FORMAT_ERRORS],
    limit: 'reads',
  }),
  listBulkUploadArchiveParts: defineRoute({
    method: 'GET',
    path: '/tasks/bulk-upload/:bulkUploadId/archive/parts',
    tag: 'uploads',
    summary: 'List the parts of an upload’s ZIP',
    description: `Lists ZIPs of at most ${ARCHIVE_PART.maxPictures} pictures and ${ARCHIVE_PART.maxBytes / megabytes(1000)} GB that together hold the results of the upload. They are made while they are downloaded, and as often as you want; a picture that is added, deleted or processed again moves the limits between them. Errors as \`downloadBulkUploadArchive\`.`,
    allow: { sessionOrKey: 'media:read' },
    params: bulkUploadParams,
    query: z.object(ARCHIVE_FORMAT),
    responses: { 200: ArchiveParts },
    errors: ['bulk_uploads.not_found', 'tasks.wrong_state', ...FORMAT_ERRORS],
    limit: 'reads',
  }),
  downloadTaskArchive: defineRoute({
    method: 'GET',
    path: '/tasks/archive',
    tag: 'tasks',
    summary: 'Download tasks as a ZIP',
    description:
      'Returns the results of the tasks, each as the plan allows; tasks without a result are left out. 503 while a file of the plan is missing or being encoded.',
    allow: { sessionOrKey: 'media:read' },
    query: z.object({
      taskIds: repeatable(z.uuid(), TASK_LIST_MAX).describe('Ids of the tasks. Can be sent up to 100 times.'),
      ...ARCHIVE_FORMAT,
    }),
    responses: { 200: null },
    file: ['application/zip'],
    errors: ['tasks.not_found', 'tasks.wrong_state', ...FORMAT_ERRORS],
    limit: 'reads',
  }),
  listTasks: defineRoute({
    method: 'GET',
    path: '/tasks',
    tag: 'tasks',
    summary: 'List tasks',
    description: 'Returns the pictures and videos of the account, newest first, by kind and status, a page at a time.',
    allow: { sessionOrKey: 'media:read' },
    query: z
      .object({
        limit: z.coerce
          .number()
          .int()
          .min(1)
          .max(TASK_LIST_MAX)
          .default(20)
          .describe('Most tasks of a page, 1 to 100. Default: 20.'),
        startingAfter: z.uuid().optional().describe('Id of a page’s last task, to get the next page.'),
        endingBefore: z
          .uuid()
          .optional()
          .describe('Id of a page’s first task, to get the previous page; `has_more` then means newer tasks.'),
        mediaType: MediaTypeField.optional().describe('Only pictures, or only videos.'),
        status: repeatable(StoredTaskStatus, STORED_TASK_STATUSES.length)
          .optional()
          .describe(
            'Only tasks in this status. Can be sent several times. Refused files are listed with the status `invalid` only.',
          ),
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
    description:
      'Returns the task with its results; with `Prefer: wait=60` once it has ended, or when the time is over. Read it until its status is final: `completed`, `exported`, `failed`, `invalid` or `cancelled`. The URLs in it are signed and short-lived; read the task again instead of storing them. An upload token reads the task of its picture.',
    allow: { sessionOrKey: 'media:read' },
    params: taskParams,
    responses: { 200: Task },
    waits: true,
    cors: true,
    errors: ['tasks.not_found', ...UPLOAD_TOKEN_ERRORS],
    limit: 'reads',
  }),
  renewUpload: defineRoute({
    method: 'POST',
    path: '/tasks/:taskId/upload',
    tag: 'uploads',
    summary: 'Renew the address of an upload',
    description: 'Returns a new address to send the file to. Opens a task again whose address has expired.',
    allow: { sessionOrKey: 'media:write' },
    params: taskParams,
    responses: { 200: UploadTarget },
    errors: ['tasks.not_found', 'uploads.closed'],
    limit: 'writes',
  }),
  cancelTask: defineRoute({
    method: 'POST',
    path: '/tasks/:taskId/cancel',
    tag: 'tasks',
    summary: 'Cancel a task',
    description: 'Cancels a task that has not ended; its reservation is released. Idempotent.',
    allow: { sessionOrKey: 'media:write' },
    params: taskParams,
    responses: { 200: Task },
    errors: ['tasks.not_found', 'tasks.wrong_state'],
    limit: 'writes',
  }),
  deleteTasks: defineRoute({
    method: 'DELETE',
    path: '/tasks/delete',
    tag: 'tasks',
    summary: 'Delete tasks',
    description: 'Deletes tasks and their files at once: 204, or 200 naming the ids that are not the caller’s.',
    allow: { sessionOrKey: 'media:write' },
    body: z
      .object({ taskIds: z.array(z.uuid()).min(1).max(100).describe('Ids of the tasks to delete, at most 100.') })
      .meta({ id: 'DeleteTasks' }),
    responses: {
      204: null,
      200: z
        .object({
          notFound: z.array(z.uuid()).describe('Ids that are not tasks of the caller; the others were deleted.'),
        })
        .meta({ id: 'DeletedTasks' }),
    },
    errors: [],
    limit: 'writes',
  }),
} as const;
