import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { IMAGE_CONTENT_TYPES } from '../media/types.js';
import { LOOK_TOOLS, PipelineRequest } from '../pipeline/tools.js';
import { BulkUpload, Task } from './task.js';
import { PLAN_ERRORS } from './tasks.js';
import { JpegQualityField } from './uploads.js';

const bulkUploadParams = z.object({ bulkUploadId: z.uuid() });
const taskParams = z.object({ taskId: z.uuid() });

/** Not an enum, so that the error can name an unknown format. */
const FormatField = z.string().min(1).max(100);

/** A picture to process again from its original. */
export const ReprocessInput = z
  .object({
    clientTaskId: z.uuid(),
    /** Absent: unchanged. */
    aiPipeline: PipelineRequest.optional(),
    outputContentType: FormatField.optional(),
    jpegQuality: JpegQualityField.optional(),
    /** Keep the location (GPS) in the files. */
    keepLocation: z.boolean().optional(),
    /** Every tool on every plan, with watermark, at most 1280 pixels a side. */
    preview: z.boolean().default(false),
  })
  .meta({ id: 'ReprocessInput' });
export type ReprocessInput = z.infer<typeof ReprocessInput>;

/**
 * A picture of about 320 pixels with one model of a tool, applied to the newest result's other tools. `url` is signed and
 * short-lived.
 */
export const Look = z
  .object({
    tool: z.enum(LOOK_TOOLS),
    model: z.string(),
    url: z.url(),
    width: z.int(),
    height: z.int(),
  })
  .meta({ id: 'Look' });
export type Look = z.infer<typeof Look>;

/** `looks` is empty until the status is `ready`. */
export const Looks = z
  .object({ status: z.enum(['pending', 'ready', 'failed']), looks: z.array(Look) })
  .meta({ id: 'Looks' });
export type Looks = z.infer<typeof Looks>;

const FORMAT_ERRORS = ['outputs.format_not_available', 'outputs.format_not_in_plan'] as const;

/** Downloads of results and conversions to other formats. */
export const resultRoutes = {
  exportTask: defineRoute({
    method: 'PUT',
    path: '/tasks/:taskId/export',
    tag: 'tasks',
    summary: 'Download a full-size result without watermark; a task is charged once for all formats',
    allow: { sessionOrKey: 'media' },
    params: taskParams,
    body: z
      .object({
        outputContentType: FormatField.optional(),
        jpegQuality: JpegQualityField.optional(),
        /** An earlier result, that is no preview. Absent: the newest. */
        outputId: z.uuid().optional(),
      })
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
    summary: 'Convert a result to another format: 202 while it is being encoded, 200 when it is ready',
    allow: { sessionOrKey: 'media' },
    params: taskParams,
    body: z
      .object({ outputContentType: FormatField, jpegQuality: JpegQualityField.optional() })
      .meta({ id: 'ConvertTask' }),
    responses: { 202: Task, 200: Task },
    errors: ['tasks.not_found', 'tasks.wrong_state', ...FORMAT_ERRORS],
    limit: 'writes',
    idempotent: true,
  }),
  createLooks: defineRoute({
    method: 'POST',
    path: '/tasks/:taskId/looks',
    tag: 'tasks',
    summary: 'Render thumbnails of the newest result with every look, blur and retouching style; idempotent',
    allow: { sessionOrKey: 'media' },
    params: taskParams,
    responses: { 202: Looks },
    errors: ['tasks.not_found', 'tasks.wrong_state', 'queue.full'],
    limit: 'writes',
  }),
  getLooks: defineRoute({
    method: 'GET',
    path: '/tasks/:taskId/looks',
    tag: 'tasks',
    summary: 'Get the thumbnails of the newest result with every look, blur and retouching style',
    allow: { sessionOrKey: 'media' },
    params: taskParams,
    responses: { 200: Looks },
    errors: ['tasks.not_found', 'tasks.wrong_state'],
    limit: 'reads',
  }),
  convertInputs: defineRoute({
    method: 'POST',
    path: '/tasks/bulk-upload/:bulkUploadId/convert-input',
    tag: 'uploads',
    summary: 'Convert originals that browsers can’t show to JPEG',
    allow: { sessionOrKey: 'media' },
    params: bulkUploadParams,
    body: z
      .object({
        /** Absent: all tasks of the upload. */
        taskIds: z.array(z.uuid()).min(1).max(100).optional(),
      })
      .meta({ id: 'ConvertInputs' }),
    responses: { 202: BulkUpload },
    errors: ['bulk_uploads.not_found', 'tasks.not_found', 'tasks.wrong_state'],
    limit: 'writes',
    idempotent: true,
  }),
  reprocessTasks: defineRoute({
    method: 'POST',
    path: '/tasks/bulk-upload/:bulkUploadId/reprocess',
    tag: 'uploads',
    summary: 'Process photos again from their originals with other tools; earlier results are kept',
    enhances: true,
    allow: { sessionOrKey: 'media' },
    params: bulkUploadParams,
    body: z
      .object({
        inputReprocessList: z
          .array(ReprocessInput)
          .min(1)
          .max(100)
          .refine((orders) => new Set(orders.map(({ clientTaskId }) => clientTaskId)).size === orders.length, {
            error: 'A task is listed twice',
          }),
      })
      .meta({ id: 'Reprocess' }),
    responses: { 202: BulkUpload },
    errors: [
      'service.country_blocked',
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

/** The clean file of a paid picture. */
export const LinkedPicture = z
  .object({
    /** Signed and short-lived; null while the file is prepared: ask again. */
    url: z.url().nullable(),
    fileName: z.string().nullable(),
    contentType: z.enum(IMAGE_CONTENT_TYPES),
    width: z.int(),
    height: z.int(),
    /** When the media are deleted, and the link with them. */
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'LinkedPicture' });
export type LinkedPicture = z.infer<typeof LinkedPicture>;

/** Links to a guest's paid photo. */
export const pictureLinkRoutes = {
  openPictureLink: defineRoute({
    method: 'POST',
    path: '/picture-links/open',
    tag: 'tasks',
    summary: 'Open the photo linked from a guest’s receipt; the first call creates the clean file',
    allow: 'public',
    /** In the body, to keep it out of access logs. */
    body: z.object({ token: z.string().min(1).max(255) }).meta({ id: 'OpenPictureLink' }),
    responses: { 200: LinkedPicture },
    errors: ['picture_links.not_found', 'exports.insufficient'],
    limit: 'reads',
  }),
} as const;
