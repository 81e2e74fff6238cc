import { z } from 'zod';
import { defineRoute } from '../http/route.js';
import { IMAGE_CONTENT_TYPES } from '../media/types.js';
import { DAMAGE_SHAPES } from '../pipeline/analysis.js';
import { FaceReport } from '../pipeline/recipe.js';
import { AiPipeline } from '../pipeline/tools.js';
import { UPLOAD_TOKEN_ERRORS } from './upload-tokens.js';

const share = z.number().min(0).max(1);

/** What a picture lacks, what the plan's tools would do about it, and what that would take. */
export const Analysis = z
  .object({
    width: z.int().positive().meta({ description: 'Width in pixels, with orientation applied.' }),
    height: z.int().positive().meta({ description: 'Height in pixels, with orientation applied.' }),
    contentType: z.enum(IMAGE_CONTENT_TYPES).describe('Media type, detected in the bytes.'),
    monochrome: z.boolean().meta({ description: 'Black and white, or a toned print.' }),
    faded: z.boolean().meta({ description: 'A faded print: yellow or red, its blacks light. `fade` restores it.' }),
    damage: z
      .object({
        area: share.describe('Share of the picture that is marked, 0 to 1; about half of all damage is found.'),
        kinds: z
          .array(z.enum(DAMAGE_SHAPES))
          .describe('`lines` are scratches, hairs, cracks and folds, `spots` are dust and stains.'),
      })
      .nullable()
      .meta({
        description:
          'Scratches, dust and folds of a print, roughly: 0 below .7 %, up to which reflections of undamaged pictures are marked. Null where the picture was not measured for it.',
      }),
    blur: share.meta({
      description: 'Share of each side that carries no detail: 0 is sharp, .75 shows as much at a quarter.',
    }),
    noise: share.meta({ description: 'Grain: 0 is clean, 1 deviates by 25 of 255 levels or more.' }),
    compression: share.meta({
      description: 'Steps between compressed blocks: 0 has none, 1 has 5 of 255 levels or more.',
    }),
    light: share.meta({
      description: 'Median lightness (OKLab): 0 is black, 1 white; photos are usually between .3 and .85.',
    }),
    faces: z
      .array(
        z.object({
          box: FaceReport.shape.box.meta({ description: 'In pixels of the picture.' }),
          size: z.number().nonnegative().meta({ description: 'Pixels of its longer side that carry detail.' }),
          sharpness: share.meta({ description: 'The share of its pixels that carries detail, by side.' }),
        }),
      )
      .meta({ description: 'Largest first.' }),
    suggestedPipeline: AiPipeline.meta({
      description:
        'What `auto` would apply within the plan; `{}` for a picture that needs nothing, whose result is free.',
    }),
    estimate: z
      .object({
        width: z.int().positive().describe('Width in pixels.'),
        height: z.int().positive().describe('Height in pixels.'),
        seconds: z
          .number()
          .nonnegative()
          .nullable()
          .meta({ description: 'Null before any such picture was measured.' }),
      })
      .meta({
        description: 'Size of the suggested result in pixels, and the time that such pictures took, without waiting.',
      }),
  })
  .meta({ id: 'Analysis' });
export type Analysis = z.infer<typeof Analysis>;

/** Measures a picture without keeping it. */
export const analyzeRoutes = {
  analyzePicture: defineRoute({
    method: 'POST',
    path: '/analyze',
    tag: 'enhance',
    summary: 'Analyze a picture',
    description:
      'Measures blur, noise, compression, light and faces of one picture, sent as the body or as a form, and suggests a pipeline with the size of its result. Free, within its own limit; the picture is deleted at once.',
    enhances: true,
    allow: { sessionOrKey: 'media:write' },
    upload: IMAGE_CONTENT_TYPES,
    responses: { 200: Analysis },
    cors: true,
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
      ...UPLOAD_TOKEN_ERRORS,
    ],
    limit: 'analyses',
  }),
} as const;
