import { z } from 'zod';
import { fromWire } from '../http/case.js';
import { defineRoute } from '../http/route.js';
import { MASK_CODES } from '../jobs/define.js';
import { IMAGE_CONTENT_TYPES, JPEG_QUALITIES, LAYERED_TIFF, OUTPUT_CONTENT_TYPES } from '../media/types.js';
import { AiPipeline, PipelineRequest } from '../pipeline/tools.js';
import { USAGE_ERRORS } from './plugin-keys.js';
import { Task } from './task.js';
import { PLAN_ERRORS } from './tasks.js';
import { UPLOAD_TOKEN_ERRORS } from './upload-tokens.js';
import { FileName, JpegQualityField, MaskUrl, RemoteFiles } from './uploads.js';
import { CALLBACK_ERRORS, CallbackUrl } from './webhook-url.js';

const SHORT_FORMATS: Readonly<Record<string, string>> = {
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  psd: 'image/vnd.adobe.photoshop',
  'photoshop-tiff': LAYERED_TIFF,
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
  .pipe(PipelineRequest)
  .meta({
    contentMediaType: 'application/json',
    contentSchema: { anyOf: [{ const: 'auto' }, { $ref: '#/components/schemas/AiPipeline' }] },
    example: '{"face_enhance":{"model":"base"},"color_enhance":{"model":"golden","strength":0.8}}',
  });

/** A media type, or a short name. An enum in the description only, so that the error can name an unknown format. */
const Format = z
  .string()
  .max(100)
  .transform((format) => SHORT_FORMATS[format] ?? format)
  .meta({ enum: [...Object.keys(SHORT_FORMATS), ...OUTPUT_CONTENT_TYPES] });

/** Options of `enhance`: query parameters, or form fields before the file, which take precedence. */
export const EnhanceOptions = z.object({
  pipeline: PipelineText.optional().describe(
    'The tools to apply, as the JSON of an `AiPipeline`, or `auto` for what `POST /analyze` suggests. Default: the tools saved in the account, else `face_enhance` and `background_enhance`.',
  ),
  format: Format.optional().describe(
    'Format of the result; `psd` and `photoshop-tiff` have the original and, above it and masked, the result as layers. Default: `png`. All but JPEG need the Business plan.',
  ),
  aiPipeline: PipelineText.optional().describe('The same as `pipeline`, by the name of other routes; counts more.'),
  outputContentType: Format.optional().describe('The same as `format`, by the name of other routes; counts more.'),
  jpegQuality: z.coerce
    .number()
    .pipe(JpegQualityField)
    .optional()
    .meta({ type: 'integer', enum: JPEG_QUALITIES })
    .describe('Quality of a JPEG result, in percent. Default: 90.'),
  fileName: FileName.optional().describe(
    'Name of the file, from which the name of the download is made; 1 to 255 characters. Default: the file name in the form.',
  ),
  keepLocation: z
    .stringbool()
    .optional()
    .meta({ type: 'boolean' })
    .describe(
      'Keep the location (GPS) of the picture in the result. Default: the preference of the account, which is off at first.',
    ),
  callbackUrl: CallbackUrl.optional(),
  ...RemoteFiles,
  maskUrl: MaskUrl,
});
export type EnhanceOptions = z.infer<typeof EnhanceOptions>;

/** The same for a picture elsewhere, as a JSON body. */
export const EnhanceByAddress = EnhanceOptions.extend({
  pipeline: PipelineRequest.optional().describe(EnhanceOptions.shape.pipeline.description ?? ''),
  aiPipeline: PipelineRequest.optional().describe(EnhanceOptions.shape.aiPipeline.description ?? ''),
  jpegQuality: JpegQualityField.optional().describe(EnhanceOptions.shape.jpegQuality.description ?? ''),
  keepLocation: z
    .boolean()
    .optional()
    .describe(EnhanceOptions.shape.keepLocation.description ?? ''),
}).meta({
  id: 'EnhanceByAddress',
  // zod leaves `examples` out where a member is transformed.
  example: {
    input_url: 'https://example.com/photo.jpg',
    pipeline: { face_enhance: { model: 'v2' } },
    format: 'jpeg',
    output_upload_url: 'https://bucket.example.com/better.jpg?X-Amz-Signature=…',
  },
});

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
    summary: 'Enhance a picture',
    description:
      'Send one picture as the body, or as a form whose file is the first or the last part, or its address as `input_url`, also in a JSON body with the other options. A form may have a second file, `mask`, before the picture, or after a picture that is the first part. Form fields count more than query parameters. Answers 202 with the task, and its address in `Location`. With `Prefer: wait=60` the request waits up to a minute and answers 200 with the finished file, or 202 if it takes longer; then poll `Location`. A rejected picture is not stored and costs nothing.',
    enhances: true,
    allow: { key: 'media:write' },
    query: EnhanceOptions,
    upload: IMAGE_CONTENT_TYPES,
    uploadJson: EnhanceByAddress,
    responses: { 200: null, 202: Task },
    responseHeaders: EnhancementHeaders,
    waits: true,
    cors: true,
    file: OUTPUT_CONTENT_TYPES,
    errors: [
      'service.country_blocked',
      ...PLAN_ERRORS,
      ...CALLBACK_ERRORS,
      'uploads.empty',
      'uploads.incomplete',
      'uploads.layers_only',
      'uploads.too_large',
      'uploads.too_many_pixels',
      'uploads.undecodable',
      'uploads.unsupported_type',
      ...MASK_CODES,
      'tasks.disk_full',
      'tasks.failed',
      'tasks.not_found',
      'tasks.timed_out',
      'tasks.wrong_state',
      'queue.full',
      ...USAGE_ERRORS,
      ...UPLOAD_TOKEN_ERRORS,
    ],
    limit: 'writes',
    idempotent: true,
  }),
} as const;
