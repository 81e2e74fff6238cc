import { BoxSpace, boxBlur, boxMean } from '../../rasters/filters.js';
import { floatsAt, heap, kernels, reserve, withKernels } from '../../rasters/kernels.js';
import { ramp } from '../../rasters/ramp.js';
import type { Planes } from '../../rasters/raster.js';

/** Statistics of a face's skin. No color is assumed. */
export interface SkinStatistics {
  /** Medians over the skin. */
  luma: number;
  blueDifference: number;
  redDifference: number;
}

/** Distance from the median color, in spreads; beyond is not skin. */
const COLOR_LIMITS = [2.2, 4] as const;
/** Limits of the spread in levels: blush is skin, and green light does not turn foliage into skin. */
const SPREAD = [4, 12] as const;
/** Luma relative to surrounding skin: hair, beard and frames are below; shadows are wider. */
const DARK_LIMITS = [0.5, 0.74] as const;
/** Relative to the face's median; hair and stubble are above. */
const TEXTURE_LIMITS = [2.2, 4.5] as const;
/** Smooth on any face, in levels. */
const MIN_TEXTURE = 1.5;
/** In face widths: surrounding light, fine contrast, mask. */
const AROUND = 0.11;
const TEXTURE = { blur: 0.008, window: 0.02 };
const MASK_BLUR = 0.008;
/** Not sampled below this share of the region's median luma: hair on the forehead, beards. */
const SAMPLED_BRIGHTNESS = 0.7;
/** Sampled from this region weight. */
const SAMPLED = 0.9;
const MIN_SAMPLES = 60;

/** Actual skin, 0..1: pixels similar to the rest of the region. Null where too little is visible. */
export function findSkin(
  planes: Planes,
  region: Float32Array,
  faceWidth: number,
): { skin: Float32Array; statistics: SkinStatistics } | null {
  const { width, height } = planes;
  const size = width * height;
  const statistics = statisticsOf(planes, region);
  if (!statistics) return null;
  const mask = new Float32Array(size);
  for (let at = 0; at < size; at++) {
    const weight = region[at] ?? 0;
    if (weight <= 0) continue;
    const blue = ((planes.blueDifference[at] ?? 0) - statistics.blueDifference) / statistics.blueSpread;
    const red = ((planes.redDifference[at] ?? 0) - statistics.redDifference) / statistics.redSpread;
    mask[at] = weight * (1 - smoothstep(Math.sqrt(blue * blue + red * red), COLOR_LIMITS));
  }
  const [around = planes.luma] = weightedMeans([planes.luma], mask, width, height, Math.round(faceWidth * AROUND));
  const texture = fineContrast(planes, faceWidth);
  const middling = Math.max(MIN_TEXTURE, median(texture, region) ?? 0);
  for (let at = 0; at < size; at++) {
    const light = (planes.luma[at] ?? 0) / Math.max(1, around[at] ?? 0);
    const rough = (texture[at] ?? 0) / middling;
    mask[at] = (mask[at] ?? 0) * smoothstep(light, DARK_LIMITS) * (1 - smoothstep(rough, TEXTURE_LIMITS));
  }
  const soft = boxBlur(mask, planes, faceWidth * MASK_BLUR);
  // Softening must stay in the region.
  return { skin: soft.map((value, at) => Math.min(value, region[at] ?? 0)), statistics };
}

function statisticsOf(
  planes: Planes,
  region: Float32Array,
): (SkinStatistics & { blueSpread: number; redSpread: number }) | null {
  const first = median(planes.luma, region);
  if (first === null) return null;
  const bright = region.map((weight, at) => ((planes.luma[at] ?? 0) > first * SAMPLED_BRIGHTNESS ? weight : 0));
  const luma = median(planes.luma, bright);
  const blueDifference = median(planes.blueDifference, bright);
  const redDifference = median(planes.redDifference, bright);
  if (luma === null || blueDifference === null || redDifference === null) return null;
  const blueSpread = spreadOf(planes.blueDifference, bright, blueDifference);
  const redSpread = spreadOf(planes.redDifference, bright, redDifference);
  return { luma, blueDifference, redDifference, blueSpread, redSpread };
}

function spreadOf(values: Float32Array, weights: Float32Array, middle: number): number {
  const deviation = median(
    values.map((value) => Math.abs(value - middle)),
    weights,
  );
  // 1.48 median deviations: a standard deviation of a normal distribution.
  return Math.max(SPREAD[0], Math.min(SPREAD[1], 1.48 * (deviation ?? 0)));
}

/** Mean absolute difference from a slight blur, in levels. */
function fineContrast(planes: Planes, faceWidth: number): Float32Array {
  const { luma, width, height } = planes;
  const base = boxBlur(luma, planes, Math.max(1, faceWidth * TEXTURE.blur));
  const difference = base.map((value, at) => Math.abs((luma[at] ?? 0) - value));
  return boxMean(difference, width, height, Math.max(1, Math.round(faceWidth * TEXTURE.window)));
}

/** Median of values with full weight, every fourth pixel; null for too few. */
function median(values: Float32Array, weights: Float32Array): number | null {
  const chosen: number[] = [];
  for (let at = 0; at < values.length; at += 4) {
    if ((weights[at] ?? 0) > SAMPLED) chosen.push(values[at] ?? 0);
  }
  if (chosen.length < MIN_SAMPLES / 4) return null;
  const sorted = Float32Array.from(chosen).sort();
  return sorted[sorted.length >> 1] ?? null;
}

/** Weighted means of planes over a window; the values themselves without weights. */
export function weightedMeans(
  planes: readonly Float32Array[],
  weights: Float32Array,
  width: number,
  height: number,
  radius: number,
): Float32Array[] {
  const reach = Math.max(1, radius);
  const bytes = weights.byteLength;
  return withKernels(() => {
    const [shares, totals, values, sums] = [reserve(bytes), reserve(bytes), reserve(bytes), reserve(bytes)];
    const space = new BoxSpace(width, height);
    heap.floats.set(weights, shares >> 2);
    heap.floats.set(weights, totals >> 2);
    space.mean(totals, reach);
    return planes.map((plane) => {
      heap.floats.set(plane, values >> 2);
      kernels.multiply(values, shares, sums, plane.length);
      space.mean(sums, reach);
      kernels.divideKnown(totals, MIN_WEIGHT, values, sums, plane.length);
      return floatsAt(sums, plane.length).slice();
    });
  });
}

const MIN_WEIGHT = 1e-4;

/** 0 up to the first limit, 1 from the second, smooth. Indexed, because destructuring would iterate in hot loops. */
export function smoothstep(value: number, limits: readonly [number, number]): number {
  const part = ramp(value, limits[0], limits[1]);
  return part * part * (3 - 2 * part);
}
