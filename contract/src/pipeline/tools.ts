import { z } from 'zod';

/** Share of a tool's effect, 0 (none) to 1 (full). */
const strength = z.number().min(0).max(1).optional();

const tool = <const Models extends readonly [string, ...string[]]>(models: Models) =>
  z.strictObject({ model: z.enum(models), strength });

/**
 * Restores faces. `base` is the restorer on a 128-pixel crop; `v1` blurs by {@link FACE_V1_PRE_BLUR} first; `v2` uses
 * 160 pixels and blends skin texture back.
 */
export const FaceEnhance = tool(['base', 'v1', 'v2']);
/** Retouches faces. */
export const FaceLifting = tool(['movie', 'glam', 'cute', 'natural']);
/** Restores everything but faces. */
export const BackgroundEnhance = tool(['base', 'v1']);
/** Grades colour and light. */
export const ColorEnhance = tool(['golden', 'steady', 'balanced', 'orange', 'silky', 'muted', 'teal', 'softWarm']);

const ratio = z.number().min(0).max(1);

/** Blurs the background behind people, by a preset or by the three values that a preset stands for. */
export const Bokeh = z.union([
  z.strictObject({ model: z.enum(['low', 'medium', 'high']), strength }),
  z.strictObject({ aperture: ratio, highlights: ratio, vivid: ratio, strength }),
]);

/** Spec 2, section 9. */
export const BOKEH_PRESETS = {
  low: { aperture: 0.3, highlights: 0.25, vivid: 0.75 },
  medium: { aperture: 0.65, highlights: 0.5, vivid: 0.4 },
  high: { aperture: 0.8, highlights: 0.6, vivid: 0.6 },
} as const;

/** Standard deviation in pixels (spec 2, section 9). */
export const FACE_V1_PRE_BLUR = 1.8;

/**
 * Tools to apply, in {@link TOOL_ORDER} whatever the order of the keys. `{}` only re-encodes. Unknown tools and models
 * are rejected.
 */
export const AiPipeline = z
  .strictObject({
    faceEnhance: FaceEnhance.optional(),
    faceLifting: FaceLifting.optional(),
    backgroundEnhance: BackgroundEnhance.optional(),
    bokeh: Bokeh.optional(),
    colorEnhance: ColorEnhance.optional(),
  })
  .meta({ id: 'AiPipeline' });
export type AiPipeline = z.infer<typeof AiPipeline>;
export type ToolName = keyof AiPipeline;

/**
 * The whole picture is denoised before faces are blended in, retouching works on restored faces, blur follows detail,
 * and colour comes last.
 */
export const TOOL_ORDER: readonly ToolName[] = [
  'backgroundEnhance',
  'faceEnhance',
  'faceLifting',
  'bokeh',
  'colorEnhance',
];

/** Applies when neither the request nor the user's preferences name a pipeline. */
export const DEFAULT_PIPELINE: AiPipeline = { faceEnhance: { model: 'base' }, backgroundEnhance: { model: 'base' } };

/** Colour alone is arithmetic, and an empty pipeline only re-encodes. */
export const needsNetworks = (pipeline: AiPipeline): boolean =>
  TOOL_ORDER.some((tool) => tool !== 'colorEnhance' && pipeline[tool] !== undefined);
