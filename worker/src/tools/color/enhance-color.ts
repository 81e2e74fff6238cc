import { setImmediate as turn } from 'node:timers/promises';
import type { Samples } from '../../image/picture.js';
import type { Raster } from '../../rasters/raster.js';
import { LastResult } from '../restoration/last-result.js';
import { grade, relight } from './color-grade.js';
import { chromaOf, codesWithin, conesOf, labOfCones, type Rgb } from './color-lab.js';
import { applyColors, type ColorTable, mixed, mixedTable, monotoneCurve, tabulateColors } from './color-lut.js';
import { type Correction, measureColor, measureLift } from './color-measure.js';
import { type ColorSpace, colorSpaceOf } from './color-space.js';
import { LOOKS, type Look, type LookName } from './looks.js';

interface ColorOptions {
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
  readonly correction?: Correction | undefined;
  /** Whether the table has all colors; default: those of the picture. */
  readonly wholeTables?: boolean | undefined;
}

/** For the tables, and per megapixel on two cores; used for progress. */
export const COLOR_SECONDS = { fixed: 0.25, perMegapixel: 0.07 } as const;

/** Pixels between cancellation checks. */
const CHUNK = 500_000;

const lastLook = new LastResult<ColorTable>();

/**
 * Corrects light and color and applies a look, in place and in the picture's color space.
 * @returns the applied table; null: there was nothing to do
 */
export async function enhanceColor(
  context: ColorInput,
  { model, strength = 1, points }: ColorOptions,
  onProgress: (fraction: number) => void,
): Promise<ColorTable | null> {
  if (strength <= 0) return null;
  const tabulate = async () => tabulateColors(await lookOf(context, model), points, picturesOf(context));
  // Keys are the bytes of 8 bits.
  const isKept = !context.correction && !context.deep;
  const dependencies = [model, points, context.wholeTables, context.icc && Buffer.from(context.icc).toString('base64')];
  const look = isKept ? await lastLook.of(context.current, dependencies, tabulate) : await tabulate();
  return applyTable(context, mixedTable(look, strength), onProgress);
}

/**
 * Lifts an underexposed picture, in place; changes no other.
 * @param strength 0..1
 * @returns as {@link enhanceColor}
 */
export async function liftLight(
  context: ColorInput,
  strength: number,
  onProgress: (fraction: number) => void,
): Promise<ColorTable | null> {
  const space = colorSpaceOf(context.icc);
  const lift = 1 + ((await measureLift(context.current, space)) - 1) * strength;
  if (lift === 1) return null;
  const lifted = (codes: Rgb): Rgb => {
    const lab = labOfCones(conesOf(space, codes));
    const light = relight(lab, Math.min(1, lab.l * lift));
    return codesWithin(space, light, chromaOf(light));
  };
  return applyTable(context, tabulateColors(lifted, undefined, picturesOf(context)), onProgress);
}

export const targetsOf = ({ current, deep }: ColorInput): Samples[] => (deep ? [current.data, deep] : [current.data]);

const picturesOf = (context: ColorInput): Samples[] | undefined =>
  context.wholeTables ? undefined : targetsOf(context);

export async function applyTable(
  context: ColorInput,
  table: ColorTable,
  onProgress: (fraction: number) => void,
): Promise<ColorTable> {
  const targets = targetsOf(context);
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
  return table;
}

async function lookOf({ current, icc, correction }: ColorInput, model: LookName): Promise<(codes: Rgb) => Rgb> {
  const space = colorSpaceOf(icc);
  return wantedCodes(space, correction ?? (await measureColor(current, space)), LOOKS[model]);
}

/** Maps codes to codes, 0..1. */
export function lookTransform(
  space: ColorSpace,
  correction: Correction,
  look: Look,
  strength: number,
): (codes: Rgb) => Rgb {
  const wantedOf = wantedCodes(space, correction, look);
  return (codes) => mixed(codes, wantedOf(codes), strength);
}

function wantedCodes(space: ColorSpace, { gains, exposure, colored }: Correction, look: Look): (codes: Rgb) => Rgb {
  const tones = monotoneCurve(look.tones.map((value, index) => [index / 4, value]));
  return (codes) => {
    const cones = conesOf(space, codes);
    const balanced = labOfCones([cones[0] * gains[0], cones[1] * gains[1], cones[2] * gains[2]]);
    const exposed = relight(balanced, exposure(balanced.l));
    const graded = grade(exposed, look, tones, colored ? 1 : 0);
    // Only added chroma is compressed.
    const free = chromaOf(relight(exposed, graded.l));
    return codesWithin(space, graded, free);
  };
}
