import { setImmediate as turn } from 'node:timers/promises';
import type { Samples } from '../../image/picture/picture.js';
import type { Raster } from '../../rasters/raster.js';
import { monotoneCurve } from './color-curve.js';
import { grade, relight } from './color-grade.js';
import { chromaOf, codesWithin, conesOf, labOfCones, type Rgb } from './color-lab.js';
import { applyColors, tabulateColors } from './color-lut.js';
import { type Correction, measureColor } from './color-measure.js';
import { type ColorSpace, colorSpaceOf } from './color-space.js';
import { LOOKS, type Look, type LookName } from './looks.js';

export interface ColorOptions {
  model: LookName;
  /** 0..1. */
  strength?: number | undefined;
  /** Points of the color table per axis; see `tabulateColors`. */
  points?: number | undefined;
}

/** The picture, and its 16-bit samples if it has them. */
export interface ColorInput {
  readonly current: Raster;
  readonly deep: Uint16Array | null;
  /** Null: sRGB. */
  readonly icc: Uint8Array | null;
  readonly signal: AbortSignal;
  /** Correction of this picture, if it was measured before. */
  readonly correction?: Correction | undefined;
}

/** For the tables, and per megapixel on two cores; used for progress. */
export const COLOR_SECONDS = { fixed: 0.25, perMegapixel: 0.07 } as const;

/** Pixels between cancellation checks. */
const CHUNK = 500_000;

/** Corrects light and color and applies a look, in place and in the picture's color space. */
export async function enhanceColor(
  context: ColorInput,
  { model, strength = 1, points }: ColorOptions,
  onProgress: (fraction: number) => void,
): Promise<void> {
  if (strength <= 0) return;
  const space = colorSpaceOf(context.icc);
  const correction = context.correction ?? (await measureColor(context.current, space));
  const targets: Samples[] = context.deep ? [context.current.data, context.deep] : [context.current.data];
  const table = tabulateColors(lookTransform(space, correction, LOOKS[model], strength), points, targets);
  const pixels = context.current.width * context.current.height;
  const total = pixels * targets.length;
  let done = 0;
  for (const samples of targets) {
    for (let start = 0; start < pixels; start += CHUNK) {
      await turn();
      context.signal.throwIfAborted();
      const end = Math.min(pixels, start + CHUNK);
      applyColors(samples, table, start, end);
      done += end - start;
      onProgress(0.4 + (0.6 * done) / total);
    }
  }
}

/** Maps codes to codes, 0..1. */
export function lookTransform(
  space: ColorSpace,
  { gains, exposure, colored }: Correction,
  look: Look,
  strength: number,
): (codes: Rgb) => Rgb {
  const tones = monotoneCurve(look.tones.map((value, index) => [index / 4, value]));
  return (codes) => {
    const cones = conesOf(space, codes);
    const balanced = labOfCones([cones[0] * gains[0], cones[1] * gains[1], cones[2] * gains[2]]);
    const exposed = relight(balanced, exposure(balanced.l));
    const graded = grade(exposed, look, tones, colored ? 1 : 0);
    // Only added chroma is compressed.
    const free = chromaOf(relight(exposed, graded.l));
    const wanted = codesWithin(space, graded, free);
    return [
      codes[0] + (wanted[0] - codes[0]) * strength,
      codes[1] + (wanted[1] - codes[1]) * strength,
      codes[2] + (wanted[2] - codes[2]) * strength,
    ];
  };
}
