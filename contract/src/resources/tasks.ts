import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { STORED_TASK_STATUSES, StoredTaskStatus } from '../media/task-states.js';
import { BulkUpload, MediaTypeField, Task, TaskList } from './task.js';
import {
  AddToBulkUpload,
  BulkUploadCreated,
  CreateBulkUpload,
  JpegQualityField,
  ProcessBulkUpload,
  UploadTarget,
} from './uploads.js';

/** A query parameter that can be sent several times. */
const repeatable = <Item extends z.ZodType<unknown, string>>(item: Item, max: number) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((values) => [...new Set([values].flat())])
    .pipe(z.array(item).min(1).max(max));

/** Most tasks of a page of the history. */
export const TASK_LIST_MAX = 100;

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

/** Errors of every route that announces pictures. */
const ANNOUNCE_ERRORS = [...PLAN_ERRORS, 'uploads.too_large'] as const;

/** Format of the pictures of an archive; absent: the format of each. Not an enum, so that the error can name an unknown one. */
const ARCHIVE_FORMAT = {
  outputContentType: z.string().min(1).max(100).optional(),
  jpegQuality: z.coerce.number().pipe(JpegQualityField).optional(),
};

const FORMAT_ERRORS = ['outputs.format_not_available', 'outputs.format_not_in_plan'] as const;

/** Photos: upload, processing, history, deletion. */
export const taskRoutes = {
  createBulkUpload: defineRoute({
    method: 'POST',
    path: '/tasks/bulk-upload',
    tag: 'uploads',
    summary: 'Create an upload and get the addresses to send the files to',
    enhances: true,
    allow: { sessionOrKey: 'media' },
    body: CreateBulkUpload,
    responses: { 201: BulkUploadCreated },
    errors: ['service.country_blocked', ...ANNOUNCE_ERRORS],
    limit: 'writes',
    idempotent: true,
  }),
  addToBulkUpload: defineRoute({
    method: 'POST',
    path: '/tasks/bulk-upload/:bulkUploadId',
    tag: 'uploads',
    summary: 'Add photos to an upload that has not ended, at most 15 in all',
    enhances: true,
    allow: { sessionOrKey: 'media' },
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
    summary: 'Start processing the uploaded photos; idempotent, repeated as more files are uploaded',
    enhances: true,
    allow: { sessionOrKey: 'media' },
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
    ],
    limit: 'writes',
    idempotent: true,
  }),
  getBulkUpload: defineRoute({
    method: 'GET',
    path: '/tasks/bulk-upload/:bulkUploadId',
    tag: 'uploads',
    summary: 'Get an upload and its tasks',
    allow: { sessionOrKey: 'media' },
    params: bulkUploadParams,
    responses: { 200: BulkUpload },
    errors: ['bulk_uploads.not_found'],
    limit: 'reads',
  }),
  createBulkUploadArchive: defineRoute({
    method: 'POST',
    path: '/tasks/bulk-upload/:bulkUploadId/archive',
    tag: 'uploads',
    summary:
      'Encode the results of an upload in another format: 202 while they are being encoded, 200 when an archive can hold them',
    allow: { sessionOrKey: 'media' },
    params: bulkUploadParams,
    body: z
      .object({ outputContentType: z.string().min(1).max(100), jpegQuality: JpegQualityField.optional() })
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
    summary:
      'Download the results of an upload as a ZIP, each as the user’s plan allows; 503 while a file of the plan is missing or encoded; another format is ordered by POST first',
    allow: { sessionOrKey: 'media' },
    params: bulkUploadParams,
    query: z.object(ARCHIVE_FORMAT),
    responses: { 200: null },
    file: ['application/zip'],
    errors: ['bulk_uploads.not_found', 'tasks.wrong_state', ...FORMAT_ERRORS],
    limit: 'reads',
  }),
  downloadTaskArchive: defineRoute({
    method: 'GET',
    path: '/tasks/archive',
    tag: 'tasks',
    summary:
      'Download results of tasks as a ZIP, each as the user’s plan allows; tasks without a result are left out; 503 while a file of the plan is missing or encoded; another format is ordered by POST first',
    allow: { sessionOrKey: 'media' },
    query: z.object({
      /** Repeatable. */
      taskIds: repeatable(z.uuid(), TASK_LIST_MAX),
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
    summary: 'List tasks, newest first, by kind and status',
    allow: { sessionOrKey: 'media' },
    query: z
      .object({
        limit: z.coerce.number().int().min(1).max(TASK_LIST_MAX).default(20),
        /** Id of a page's last task, to get the next page. */
        startingAfter: z.uuid().optional(),
        /** Id of a page's first task, to get the previous page; `hasMore` then means newer tasks. */
        endingBefore: z.uuid().optional(),
        mediaType: MediaTypeField.optional(),
        /** Repeatable. Files that were refused are listed with the status `invalid` only. */
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
    summary: 'Get a task; with `Prefer: wait=60` once it is final, or when the time is over',
    allow: { sessionOrKey: 'media' },
    params: taskParams,
    responses: { 200: Task },
    waits: true,
    errors: ['tasks.not_found'],
    limit: 'reads',
  }),
  renewUpload: defineRoute({
    method: 'POST',
    path: '/tasks/:taskId/upload',
    tag: 'uploads',
    summary: 'Get a new address to send the file to; opens a task again whose address has expired',
    allow: { sessionOrKey: 'media' },
    params: taskParams,
    responses: { 200: UploadTarget },
    errors: ['tasks.not_found', 'uploads.closed'],
    limit: 'writes',
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
    summary: "Delete tasks and their files at once; 200 names the ids that are not the caller's",
    allow: { sessionOrKey: 'media' },
    body: z.object({ taskIds: z.array(z.uuid()).min(1).max(100) }).meta({ id: 'DeleteTasks' }),
    responses: { 204: null, 200: z.object({ notFound: z.array(z.uuid()) }).meta({ id: 'DeletedTasks' }) },
    errors: [],
    limit: 'writes',
  }),
} as const;
