import { z } from 'zod';
import { toolsOf } from './applied-tools.js';
import type { AiPipeline, ToolName } from './tools.js';

/** A face that the tools would find. */
const AnalyzedFace = z.object({
  /** In fractions of the picture, from the top left corner; may reach slightly beyond its edges. */
  box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
  /** Longer side of the box in pixels that carry detail: its pixels divided by its softness. */
  realPixels: z.number().nonnegative(),
  /** Whether `face_enhance` would restore it: it has defects, and is among the largest that one picture gets restored. */
  isRestorable: z.boolean(),
});

/** Lightness is OKLab's: 0 black, about 0.6 mid gray, 1 white. */
const Light = z.object({
  median: z.number().min(0).max(1),
  /** By the median: below .3 `dark`, above .85 `bright`. */
  exposure: z.enum(['dark', 'normal', 'bright']),
  /** Black and white, or a toned print. */
  isMonochrome: z.boolean(),
  /** Neither black nor white is left (from .2 to .95, a range under .62): as in haze. */
  isFlat: z.boolean(),
});
export type Light = z.infer<typeof Light>;

/** Shapes of damage: long and thin (scratches, hairs, cracks, folds), or not (dust, spots). */
export const DAMAGE_SHAPES = ['lines', 'spots'] as const;

/** Area 0 without shapes where no damage stands out from the bright details that a picture has without any. */
const MeasuredDamage = z.object({
  /** Share of the picture that is marked, 0..1. */
  area: z.number().min(0).max(1),
  /** With a tenth of the marked pixels each. */
  shapes: z.array(z.enum(DAMAGE_SHAPES)),
});
export type MeasuredDamage = z.infer<typeof MeasuredDamage>;

/**
 * What the worker measures in a picture, as it does before it restores one. A picture larger than a result is measured at
 * the size of its result.
 */
export const PictureMeasures = z.object({
  /** Pixels for each pixel that carries detail: 1 is sharp, 4 shows as much at a quarter of the size. At most 10. */
  softness: z.number().min(1).max(10),
  /** Standard deviation in levels of 255, at the real size. */
  noise: z.number().nonnegative(),
  /** Steps at the borders of compressed blocks beyond those beside them, in levels of 255; 0 in soft pictures, which lost them. */
  blockiness: z.number().nonnegative(),
  /** How far its defects at the size of its result ask for restoration, 0..1: a picture that is enlarged becomes soft. */
  need: z.number().min(0).max(1),
  light: Light,
  /** Looks like a faded print, which `fade` would restore. */
  isFaded: z.boolean(),
  /** Largest first. */
  faces: z.array(AnalyzedFace),
  /** Only of analyses: no tool follows from it. */
  damage: MeasuredDamage.optional(),
});
export type PictureMeasures = z.infer<typeof PictureMeasures>;

/** Tools that the measures of a picture can ask for. */
export const MEASURED_TOOLS = {
  faceEnhance: { model: 'base' },
  backgroundEnhance: { model: 'base' },
  fade: { model: 'base' },
  colorEnhance: { model: 'balanced' },
} as const satisfies AiPipeline;

function isAskedFor(tool: ToolName, { need, light, isFaded, faces }: PictureMeasures): boolean {
  switch (tool) {
    case 'faceEnhance':
      return faces.some(({ isRestorable }) => isRestorable);
    case 'backgroundEnhance':
      return need > 0;
    case 'fade':
      return isFaded;
    case 'colorEnhance':
      return (light.isFlat && !isFaded) || light.exposure === 'dark';
    default:
      return true;
  }
}

/** The pipeline without `auto`, and without those of its tools that the measures don't ask for. */
export function chosenPipeline({ auto: _, ...pipeline }: AiPipeline, measures: PictureMeasures): AiPipeline {
  const chosen: AiPipeline = { ...pipeline };
  for (const tool of toolsOf(pipeline)) if (!isAskedFor(tool, measures)) delete chosen[tool];
  return chosen;
}
