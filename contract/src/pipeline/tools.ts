import { z } from 'zod';

/** Of the strength of a tool: share of its effect, 0 (none) to 1 (full). */
export const STRENGTH_RANGE = { min: 0, max: 1, default: 1 } as const;

const strength = z
  .number()
  .min(STRENGTH_RANGE.min)
  .max(STRENGTH_RANGE.max)
  .optional()
  .describe('Share of the effect, 0 (none) to 1 (full). Default: 1.');

const tool = <const Models extends readonly [string, ...string[]]>(models: Models) =>
  z.strictObject({ model: z.enum(models).describe('The network or look that the tool applies.'), strength });

/**
 * Restores faces. `base` is the restorer on a 128-pixel crop; `v1` blurs by {@link FACE_V1_PRE_BLUR} first; `v2` uses
 * 160 pixels and blends skin texture back.
 */
export const FaceEnhance = tool(['base', 'v1', 'v2']).describe(
  'Restores faces. `v1` is smoother than `base`, `v2` crisper.',
);

const ratio = z.number().min(0).max(1);
const pixels = z.number().min(-100_000).max(100_000);
const extent = z.number().positive().max(100_000);
/** Of a face: in pixels of the result, as face reports have it, or in fractions of the picture if no side exceeds 1. */
const FaceBox = z.strictObject({
  x: pixels.describe('Left edge.'),
  y: pixels.describe('Top edge.'),
  width: extent.describe('Width.'),
  height: extent.describe('Height.'),
});

const ownOfFace = {
  strength: ratio.describe(
    'Share of the effect, 0 to 1. 0 leaves the pixels of the original, also where the background is enhanced.',
  ),
  model: FaceEnhance.shape.model.optional().describe('Default: that of the tool.'),
};

/** {@link FaceEnhance} of a picture, whose faces can be told apart. */
const PictureFaceEnhance = FaceEnhance.extend({
  faces: z
    .array(
      z.union([
        z.strictObject({
          index: z.int().min(0).max(999).describe('Place of the face among the `faces` of a result, from 0.'),
          ...ownOfFace,
        }),
        z.strictObject({
          box: FaceBox.describe(
            'The face, in pixels of the result, as face reports have it, or in fractions of the picture if no side exceeds 1.',
          ),
          ...ownOfFace,
        }),
      ]),
    )
    .max(50)
    .optional()
    .describe(
      'Faces with a strength of their own, at most 50; the others have that of the tool. An entry means the face at its place among the `faces` of a result, or the one whose center lies in its box. Entries that match no face are named by `unmatched_faces` of the recipe.',
    ),
  minIdentitySimilarity: ratio
    .optional()
    .describe(
      'A face whose restoration is less similar to the person, or can’t be compared, keeps the pixels of the original and is `kept_original` in the report. 0 to 1; default: no limit.',
    ),
}).describe('Restores faces. `v1` is smoother than `base`, `v2` crisper.');
/** Removes the damage of prints and scans. */
export const Repair = tool(['base', 'v1'])
  .extend({
    strength: strength.describe('How much is taken for damage, 0 (nothing) to 1: less keeps faint marks. Default: 1.'),
  })
  .describe(
    'Finds scratches, dust, hairs, cracks, folds and spots of prints and scans, and fills them from their surroundings. Changes nothing else. `v1` finds fainter damage than `base`. Only where `ai_pipeline_config` of the settings has it: it still takes some reflections for damage.',
  );
/** Retouches faces. */
export const FaceLifting = tool(['movie', 'glam', 'cute', 'natural']).describe(
  'Retouches faces, after they have been restored.',
);
/** Restores everything but faces. */
export const BackgroundEnhance = tool(['base', 'v1']).describe(
  'Restores everything but faces: denoises, deblocks and sharpens. `v1` is stronger than `base`.',
);
/** Restores the colors of faded prints. */
export const Fade = tool(['base', 'v1'])
  .extend({
    neutral: z
      .boolean()
      .optional()
      .describe('Makes a sepia print neutral gray. Default: `false`, which keeps its tone.'),
  })
  .describe(
    'Restores the colors and contrast of faded prints: yellow paper, lost dyes, light blacks. Changes no other picture. `v1` is stronger than `base`.',
  );
/** Grades color and light. */
export const ColorEnhance = tool([
  'golden',
  'steady',
  'balanced',
  'orange',
  'silky',
  'muted',
  'teal',
  'softWarm',
]).describe('Grades color and light.');

/** Blurs the background behind people, by a preset or by the three values that a preset sets. */
const Bokeh = z
  .union([
    z.strictObject({
      model: z.enum(['low', 'medium', 'high']).describe('A preset of aperture, highlights and vividness.'),
      strength,
    }),
    z.strictObject({
      aperture: ratio.describe('How strongly the background is blurred, 0 to 1.'),
      highlights: ratio.describe('How far bright points become discs, 0 to 1.'),
      vivid: ratio.describe('How saturated the blurred background is, 0 to 1.'),
      strength,
    }),
  ])
  .describe('Blurs the background behind people, by a preset or by the three values that a preset sets.');

/** Spec 2, section 9. */
export const BOKEH_PRESETS = {
  low: { aperture: 0.3, highlights: 0.25, vivid: 0.75 },
  medium: { aperture: 0.65, highlights: 0.5, vivid: 0.4 },
  high: { aperture: 0.8, highlights: 0.6, vivid: 0.6 },
} as const;

/** Standard deviation in pixels (spec 2, section 9). */
export const FACE_V1_PRE_BLUR = 1.8;

/** Pixels of the result per pixel of the original, on each side, that can be asked for beside `auto`. */
export const UPSCALE_FACTORS = [1, 2, 4] as const;

/**
 * How far a picture is enlarged: result pixels per pixel of the original. `auto` enlarges pictures with a long side under
 * {@link AUTO_SIDE}; see {@link enlargedSizeOf}.
 */
const Upscale = z
  .strictObject({
    factor: z
      .union([z.literal('auto'), ...UPSCALE_FACTORS.map((factor) => z.literal(factor))])
      .describe(
        'Pixels of the result per pixel of the original, on each side. `auto` enlarges pictures with a long side under 1024 pixels to that, at most four times. A result has at most 2048 pixels a side, or 100 megapixels in its original size.',
      ),
  })
  .describe('How far the picture is enlarged. Default: `auto` when a face or background tool runs, else not.');

/** See {@link fullSizeOf}. */
const OutputSize = z
  .enum(['standard', 'original'])
  .describe(
    'Size of the result. `standard`: at most 2048 pixels a side. `original`: as large as the original, up to 100 megapixels; part of Business. Default: `standard`.',
  );

/**
 * Tools to apply, in {@link TOOL_ORDER} whatever the order of the keys. `{}` only re-encodes. Unknown tools and models
 * are rejected.
 */
export const AiPipeline = z
  .strictObject({
    repair: Repair.optional(),
    faceEnhance: PictureFaceEnhance.optional(),
    faceLifting: FaceLifting.optional(),
    backgroundEnhance: BackgroundEnhance.optional(),
    bokeh: Bokeh.optional(),
    fade: Fade.optional(),
    colorEnhance: ColorEnhance.optional(),
    upscale: Upscale.optional(),
    outputSize: OutputSize.optional(),
    auto: z
      .literal(true)
      .optional()
      .describe(
        'Apply only those of `face_enhance`, `background_enhance`, `fade` and `color_enhance` that the measures of the picture ask for; without tools, those of the plan. Absent in a finished result, which names what was applied.',
      ),
  })
  .meta({ id: 'AiPipeline', examples: [{ face_enhance: { model: 'base' }, background_enhance: { model: 'base' } }] });
export type AiPipeline = z.infer<typeof AiPipeline>;

/**
 * Tools of a video. `face_enhance` and `background_enhance` (denoises, deblocks and sharpens) do the same with each of their
 * models; `color_enhance` is one look a scene.
 */
export const VideoPipeline = z
  .strictObject({
    faceEnhance: FaceEnhance.optional(),
    backgroundEnhance: BackgroundEnhance.optional(),
    colorEnhance: ColorEnhance.optional(),
  })
  .meta({
    id: 'VideoPipeline',
    examples: [{ face_enhance: { model: 'base' }, background_enhance: { model: 'base' } }],
  });
export type VideoPipeline = z.infer<typeof VideoPipeline>;

/** A pipeline in a request; `"auto"` is short for `{"auto": true}`. */
export const PipelineRequest = z.union([z.literal('auto').transform((): AiPipeline => ({ auto: true })), AiPipeline]);

/** Tools with models; sizes have none. */
export type ToolName = Exclude<keyof AiPipeline, 'upscale' | 'outputSize' | 'auto'>;

/** Applies when neither the request nor the user's preferences name a pipeline. */
export const DEFAULT_PIPELINE: AiPipeline = { faceEnhance: { model: 'base' }, backgroundEnhance: { model: 'base' } };

/** Tools with a thumbnail of each model, as on the wire. */
export const LOOK_TOOLS = ['color_enhance', 'bokeh', 'face_lifting'] as const;
