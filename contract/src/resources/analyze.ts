import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { IMAGE_CONTENT_TYPES } from '../media/types.js';
import { PictureMeasures } from '../pipeline/analysis.js';
import { AiPipeline } from '../pipeline/tools.js';

/** What a picture lacks, what the plan's tools would do about it, and what that would take. */
export const Analysis = PictureMeasures.extend({
  /** Of the file: pixels with orientation applied, bytes. */
  input: z.object({
    contentType: z.enum(IMAGE_CONTENT_TYPES),
    width: z.int().positive(),
    height: z.int().positive(),
    sizeBytes: z.int().positive(),
  }),
  /** What `pipeline=auto` would apply; `{}` for a picture that needs nothing, whose result is the original, free. */
  pipeline: AiPipeline,
  /** The result of `pipeline` in full size, and the seconds that such pictures took; null before any was measured. */
  result: z.object({
    width: z.int().positive(),
    height: z.int().positive(),
    seconds: z.number().nonnegative().nullable(),
  }),
}).meta({ id: 'Analysis' });
export type Analysis = z.infer<typeof Analysis>;

/** Measures a picture without keeping it. */
export const analyzeRoutes = {
  analyzePicture: defineRoute({
    method: 'POST',
    path: '/analyze',
    tag: 'enhance',
    summary:
      'Measure one picture, sent as bytes or as a form, and suggest a pipeline; free, and the picture is deleted at once',
    enhances: true,
    allow: { sessionOrKey: 'media' },
    upload: IMAGE_CONTENT_TYPES,
    responses: { 200: Analysis },
    errors: [
      'service.country_blocked',
      'uploads.empty',
      'uploads.incomplete',
      'uploads.layers_only',
      'uploads.missing',
      'uploads.too_large',
      'uploads.too_many_pixels',
      'uploads.undecodable',
      'uploads.unsupported_type',
      'tasks.disk_full',
      'tasks.failed',
      'tasks.timed_out',
      'queue.full',
    ],
    limit: 'analyses',
  }),
} as const;
