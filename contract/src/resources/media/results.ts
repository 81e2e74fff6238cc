import { z } from 'zod';
import { defineRoute } from '../../http/route.js';
import { AiPipeline } from '../../pipeline/tools.js';
import { BulkUpload, JpegQualityField, PLAN_ERRORS, Task } from './tasks.js';

const bulkUploadParams = z.object({ bulkUploadId: z.uuid() });
const taskParams = z.object({ taskId: z.uuid() });

/** Any text: an unknown format is named in the answer. */
const FormatField = z.string().min(1).max(100);

/** A picture to be made again from its original. */
export const ReprocessOrder = z
  .object({
    clientTaskId: z.uuid(),
    /** Absent: as at the first time. */
    aiPipeline: AiPipeline.optional(),
    outputContentType: FormatField.optional(),
    jpegQuality: JpegQualityField.optional(),
    /** To be looked at only: any tool for anybody, marked, at most 1280 pixels a side. */
    preview: z.boolean().default(false),
  })
  .meta({ id: 'ReprocessOrder' });
export type ReprocessOrder = z.infer<typeof ReprocessOrder>;

const FORMAT_ERRORS = ['outputs.format_not_available', 'outputs.format_not_in_plan'] as const;

/** What becomes of results: downloading, other formats, trying other tools. */
export const resultRoutes = {
  exportTask: defineRoute({
    method: 'PUT',
    path: '/tasks/:taskId/export',
    tag: 'tasks',
    summary: 'Download a result clean and in full; a task is paid for once, whatever formats follow',
    allow: { sessionOrKey: 'media' },
    params: taskParams,
    body: z
      .object({ outputContentType: FormatField.optional(), jpegQuality: JpegQualityField.optional() })
      .meta({ id: 'ExportTask' }),
    responses: { 200: Task },
    errors: [
      'tasks.not_found',
      'tasks.wrong_state',
      'exports.insufficient',
      'pipeline.not_in_plan',
      'outputs.preview_only',
      ...FORMAT_ERRORS,
    ],
    limit: 'writes',
  }),
  convertTask: defineRoute({
    method: 'POST',
    path: '/tasks/:taskId/convert',
    tag: 'tasks',
    summary: 'The result one may have in another format: 202 while it is being made, 200 once it is there',
    allow: { sessionOrKey: 'media' },
    params: taskParams,
    body: z
      .object({ outputContentType: FormatField, jpegQuality: JpegQualityField.optional() })
      .meta({ id: 'ConvertTask' }),
    responses: { 202: Task, 200: Task },
    errors: ['tasks.not_found', 'tasks.wrong_state', ...FORMAT_ERRORS],
    limit: 'writes',
  }),
  convertInputs: defineRoute({
    method: 'POST',
    path: '/tasks/bulk-upload/:bulkUploadId/convert-input',
    tag: 'tasks',
    summary: 'A JPEG of originals that browsers can’t show',
    allow: { sessionOrKey: 'media' },
    params: bulkUploadParams,
    body: z
      .object({
        /** Absent: all of the upload. */
        taskIds: z.array(z.uuid()).min(1).max(100).optional(),
      })
      .meta({ id: 'ConvertInputs' }),
    responses: { 202: BulkUpload },
    errors: ['bulk_uploads.not_found', 'tasks.not_found', 'tasks.wrong_state'],
    limit: 'writes',
  }),
  reprocess: defineRoute({
    method: 'POST',
    path: '/tasks/bulk-upload/:bulkUploadId/reprocess',
    tag: 'tasks',
    summary: 'Make pictures again from their originals, with other tools; earlier results stay',
    allow: { sessionOrKey: 'media' },
    params: bulkUploadParams,
    body: z
      .object({
        inputReprocessList: z
          .array(ReprocessOrder)
          .min(1)
          .max(100)
          .refine((orders) => new Set(orders.map(({ clientTaskId }) => clientTaskId)).size === orders.length, {
            error: 'A task is named twice',
          }),
      })
      .meta({ id: 'Reprocess' }),
    responses: { 202: BulkUpload },
    errors: [
      'bulk_uploads.not_found',
      'tasks.not_found',
      'tasks.wrong_state',
      'queue.full',
      'uploads.missing',
      ...PLAN_ERRORS,
    ],
    limit: 'writes',
    idempotent: true,
  }),
} as const;
