import { z } from 'zod';
import { fromWire } from '../http/case.js';
import { defineRoute } from '../http/route.js';
import { IMAGE_CONTENT_TYPES, OUTPUT_CONTENT_TYPES } from '../media/types.js';
import { AiPipeline, PipelineRequest } from '../pipeline/tools.js';
import { Task } from './task.js';
import { PLAN_ERRORS } from './tasks.js';
import { FileName, JpegQualityField } from './uploads.js';

const SHORT_FORMATS: Readonly<Record<string, string>> = {
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  tif: 'image/tiff',
  tiff: 'image/tiff',
};

/** `auto`, or an `ai_pipeline` as JSON text. */
const PipelineText = z
  .string()
  .max(4_000)
  .transform((text, context) => {
    if (text === 'auto') return text;
    try {
      return fromWire(AiPipeline, JSON.parse(text));
    } catch {
      context.addIssue({ code: 'custom', message: 'Must be auto, or an ai_pipeline as JSON' });
      return z.NEVER;
    }
  })
  .pipe(PipelineRequest);

/** A media type, or `jpeg`, `png` or `tiff`. Not an enum, so that the error can name an unknown format. */
const Format = z
  .string()
  .max(100)
  .transform((format) => SHORT_FORMATS[format] ?? format);

/** Options of `enhance`: query parameters, or form fields before the file, which take precedence. */
export const EnhanceOptions = z.object({
  /** `auto`: what `POST /analyze` suggests. Absent: the user's saved default, else faces and background. */
  pipeline: PipelineText.optional(),
  /** Absent: PNG. */
  format: Format.optional(),
  /** `pipeline` and `format` by the names of `POST /tasks/bulk-upload`. */
  aiPipeline: PipelineText.optional(),
  outputContentType: Format.optional(),
  jpegQuality: z.coerce.number().pipe(JpegQualityField).optional(),
  /** Absent: the file name of the form. */
  fileName: FileName.optional(),
  /** Keep the location (GPS). Absent: the user's preference. */
  keepLocation: z.stringbool().optional(),
});
export type EnhanceOptions = z.infer<typeof EnhanceOptions>;

/** What was done, beside the file of a finished picture: a program needs no second request to know. */
export const EnhancementHeaders = z.object({
  'X-Clearframe-Task-Id': z.uuid().describe('Id of the task.'),
  'X-Clearframe-Width': z.int().positive().describe('Width of the file in pixels.'),
  'X-Clearframe-Height': z.int().positive().describe('Height of the file in pixels.'),
  'X-Clearframe-Seconds': z.number().nonnegative().describe('Seconds that processing took, without the queue.'),
  'X-Clearframe-Faces': z.int().nonnegative().describe('Number of faces that were found.'),
  'X-Clearframe-Least-Similarity': z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Least similarity of a face before and after, 0..1; absent where none was measured.'),
  'X-Clearframe-Changed': z.boolean().describe('`false` if the file shows the original: nothing was to be enhanced.'),
});
export type EnhancementHeaders = z.infer<typeof EnhancementHeaders>;

/** Upload, enhancement and result in one request, for key holders. */
export const enhanceRoutes = {
  createEnhancement: defineRoute({
    method: 'POST',
    path: '/enhance',
    tag: 'enhance',
    summary:
      'Enhance one picture, sent as bytes or as a form; 202 with the task, or the result with `Prefer: wait=60` if it is ready in time',
    enhances: true,
    allow: { key: 'media' },
    query: EnhanceOptions,
    upload: IMAGE_CONTENT_TYPES,
    responses: { 200: null, 202: Task },
    responseHeaders: EnhancementHeaders,
    waits: true,
    cors: true,
    file: OUTPUT_CONTENT_TYPES,
    errors: [
      'service.country_blocked',
      ...PLAN_ERRORS,
      'uploads.empty',
      'uploads.incomplete',
      'uploads.layers_only',
      'uploads.too_large',
      'uploads.too_many_pixels',
      'uploads.undecodable',
      'uploads.unsupported_type',
      'tasks.disk_full',
      'tasks.failed',
      'tasks.not_found',
      'tasks.timed_out',
      'tasks.wrong_state',
      'queue.full',
    ],
    limit: 'writes',
    idempotent: true,
  }),
} as const;
