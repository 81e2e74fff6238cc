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
}

/** What is graded: the picture as the tools see it and, where it has 16 bits, those. */
export interface ColorWork {
  readonly current: Raster;
  readonly deep: Uint16Array | null;
  /** The profile the codes are meant in; null means sRGB. */
  readonly icc: Uint8Array | null;
  readonly signal: AbortSignal;
}

/** Seconds for the tables and for a megapixel on two cores; only for sharing out progress. */
export const COLOR_SECONDS = { fixed: 0.25, perMegapixel: 0.07 } as const;

/** Pixels that are graded before a cancellation is let in. */
const CHUNK = 500_000;

/** Puts light and colour right and gives the picture its look, in place, in its own colour space. */
export async function enhanceColor(
  work: ColorWork,
  { model, strength = 1 }: ColorOptions,
  onProgress: (fraction: number) => void,
): Promise<void> {
  if (strength <= 0) return;
  const space = colorSpaceOf(work.icc);
  const correction = await measureColor(work.current, space);
  const table = tabulateColors(lookTransform(space, correction, LOOKS[model], strength));
  const targets: Samples[] = work.deep ? [work.current.data, work.deep] : [work.current.data];
  const pixels = work.current.width * work.current.height;
  const total = pixels * targets.length;
  let done = 0;
  for (const samples of targets) {
    for (let start = 0; start < pixels; start += CHUNK) {
      await turn();
      work.signal.throwIfAborted();
      const end = Math.min(pixels, start + CHUNK);
      applyColors(samples, table, start, end);
      done += end - start;
      onProgress(0.4 + (0.6 * done) / total);
    }
  }
}

/** A look, after the correction, as a transform of codes 0..1. */
function lookTransform(
  space: ColorSpace,
  { gains, exposure, coloured }: Correction,
  look: Look,
  strength: number,
): (codes: Rgb) => Rgb {
  const tones = monotoneCurve(look.tones.map((value, index) => [index / 4, value]));
  return (codes) => {
    const [long, medium, short] = conesOf(space, codes);
    const balanced = labOfCones([long * gains[0], medium * gains[1], short * gains[2]]);
    const exposed = relight(balanced, exposure(balanced.l));
    const graded = grade(exposed, look, tones, coloured ? 1 : 0);
    // At its new lightness a colour may be as strong as it was; only what is added has to fit the room.
    const free = chromaOf(relight(exposed, graded.l));
    const [red, green, blue] = codesWithin(space, graded, free);
    return [
      codes[0] + (red - codes[0]) * strength,
      codes[1] + (green - codes[1]) * strength,
      codes[2] + (blue - codes[2]) * strength,
    ];
  };
}
