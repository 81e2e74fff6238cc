import { boxMean, halve, stretch } from '../../rasters/filters.js';
import { luma, type Raster } from '../../rasters/raster.js';

export interface CrispOptions {
  /** Pixels per pixel that carries detail. */
  softness: number;
  /** Wanted sharpness, relative to what the softness allows; 1 is the default. */
  sharpness: number;
  /** How far the sharp view's detail can be trusted, 0..1: it grows with the real pixels of a face. */
  reliability: number;
  /** Per pixel, 0..1: where edges count at half the contrast (eyes, brows, lips); null for nowhere. */
  features: Float32Array | null;
}

/**
 * Standard deviations in pixels per softness. Below `evidence` the input decides and nothing is added; `finest` is the part
 * that is amplified, `edge` and `edgeWindow` measure local contrast, `known` and twice that bound the finest octave that
 * the input still shows.
 */
const SCALE = { evidence: 0.5, finest: 0.4, edge: 1.5, edgeWindow: 0.75, disagreement: 1, known: 1 } as const;
/**
 * Local contrast, in levels, at which half of the detail is added. Invented detail in flat skin costs similarity and
 * brings little sharpness; on edges it is the other way round. A portrait of 65 real pixels gained .20 of sharpness for a loss
 * of .011 of similarity with 60 levels, .019 with 20. The base's own finest detail is not invented.
 */
const EDGE_CONTRAST = { invented: 60, reliable: 20, own: 40 } as const;
/** Disagreement at the input's own resolution, in levels, at which half of the detail is added. */
const DISAGREEMENT = 30;
/**
 * Standard deviation of a sharp portrait's Laplacian over that of its octave between s and 2 s pixels: 5.4 / s ** 0.37,
 * the median of ten portraits of 240 to 1024 pixels; the extremes are 0.6 and 1.7 times as much.
 */
const EXPECTED = { factor: 5.4, falloff: 0.37 } as const;
/** Part of the expected Laplacian that is aimed at: 0.45 for a softness of 2, 0.36 for 4, 0.29 for 8. */
const CLAIMED = { factor: 0.56, falloff: 0.31 } as const;
/**
 * Greatest amplification of the sharp view's finest detail for a sharpness of 1. Its weight is at most one over that, so
 * that nothing more than doubles: more draws outlines.
 */
const MAX_BOOST = 3;
/** How much more is claimed of a reliable view. */
const RELIABLE_CLAIM = 0.5;
/** Part of the region, around its middle, in which sharpness is measured. */
const MEASURED = 0.6;

/**
 * Adds a sharp view's detail (or more of the base's own, where both are the same raster) to a faithful base, in place, up
 * to the sharpness that a portrait with the base's coarser detail would have. Only brightness changes, only at scales
 * that the input does not show, and less where the views disagree at scales that it does show: reduced to the input's
 * resolution, the result stays the base.
 */
export function addDetail(
  base: Raster,
  sharp: Raster,
  { softness, sharpness, reliability, features }: CrispOptions,
): void {
  const { width, height, data } = base;
  const soften = (plane: Float32Array, scale: number) => gaussian(plane, width, height, scale * softness);
  const own = luma(base);
  const other = luma(sharp);
  const difference = other.map((value, at) => value - (own[at] as number));
  const coarse = sharp === base ? difference : soften(difference, SCALE.evidence);
  const middle = soften(other, SCALE.finest);
  const { invented, reliable } = EDGE_CONTRAST;
  const halfContrast = sharp === base ? EDGE_CONTRAST.own : invented + (reliable - invented) * reliability;
  const trust = trustIn({ other, coarse, features }, width, height, softness, halfContrast);
  const missing = new Float32Array(own.length);
  const finest = new Float32Array(own.length);
  for (let at = 0; at < own.length; at++) {
    const part = trust[at] as number;
    missing[at] = part * ((difference[at] as number) - (coarse[at] as number));
    finest[at] = Math.min(part, 1 / MAX_BOOST) * ((other[at] as number) - (middle[at] as number));
  }
  const claimed = sharpness * (1 + RELIABLE_CLAIM * reliability) * CLAIMED.factor * softness ** -CLAIMED.falloff;
  const wanted =
    (claimed * EXPECTED.factor * softness ** -EXPECTED.falloff) ** 2 * octaveVariance(own, width, height, softness);
  const detail = shareFor(wanted, own, missing, width, height, 1);
  let boost = 0;
  if (detail === 1) {
    const detailed = own.map((value, at) => value + (missing[at] as number));
    boost = shareFor(wanted, detailed, finest, width, height, MAX_BOOST * sharpness);
  }
  const added = missing.map((value, at) => detail * value + boost * (finest[at] as number));
  // The weights leak detail into the scales that the input shows.
  const seen = soften(added, SCALE.evidence);
  // A clamped array rounds and clamps on assignment.
  const target = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
  for (let at = 0, to = 0; at < own.length; at++) {
    const value = (added[at] as number) - (seen[at] as number);
    for (const end = to + 3; to < end; to++) target[to] = (data[to] as number) + value;
  }
}

/**
 * Weight of detail per pixel, 0..1: high at edges, low where the views disagree. At half the resolution, which is
 * enough for its softness and four times as fast.
 */
function trustIn(
  { other, coarse, features }: { other: Float32Array; coarse: Float32Array; features: Float32Array | null },
  width: number,
  height: number,
  softness: number,
  halfContrast: number,
): Float32Array {
  const { plane: view, width: columns, height: rows } = halve(other, width, height);
  const soften = (plane: Float32Array, scale: number) => gaussian(plane, columns, rows, (scale * softness) / 2);
  const wide = soften(view, SCALE.edge);
  const contrast = soften(
    view.map((value, at) => (value - (wide[at] as number)) ** 2),
    SCALE.edgeWindow,
  );
  const disagreement = soften(halve(coarse.map(Math.abs), width, height).plane, SCALE.disagreement);
  const featured = features && halve(features, width, height).plane;
  const trust = contrast.map((power, at) => {
    const edge = halfContrast * (1 - (featured?.[at] ?? 0) / 2);
    return power / (power + edge * edge) / (1 + ((disagreement[at] as number) / DISAGREEMENT) ** 2);
  });
  return stretch(trust, columns, rows, width, height, 2);
}

/** Variance of the finest octave that the input shows, in the middle of the region. */
function octaveVariance(own: Float32Array, width: number, height: number, softness: number): number {
  const { left, top, right, bottom } = middleOf(width, height);
  const columns = right - left;
  const rows = bottom - top;
  const inner = new Float32Array(columns * rows);
  for (let y = 0; y < rows; y++) {
    const start = (top + y) * width + left;
    inner.set(own.subarray(start, start + columns), y * columns);
  }
  const known = gaussian(inner, columns, rows, SCALE.known * softness);
  const coarser = gaussian(inner, columns, rows, 2 * SCALE.known * softness);
  let [sum, squares] = [0, 0];
  for (let at = 0; at < known.length; at++) {
    const value = (known[at] as number) - (coarser[at] as number);
    sum += value;
    squares += value * value;
  }
  return squares / known.length - (sum / known.length) ** 2;
}

/** The share of `added`, up to `most`, with which the variance of the Laplacian of `plane` plus it reaches `wanted`. */
function shareFor(
  wanted: number,
  plane: Float32Array,
  added: Float32Array,
  width: number,
  height: number,
  most: number,
): number {
  const { own, mixed, square } = edgeCovariances(plane, added, width, height);
  const lacking = wanted - own;
  if (lacking <= 0) return 0;
  if (square < 1e-6) return most;
  return Math.min(most, (Math.sqrt(mixed * mixed + square * lacking) - mixed) / square);
}

/** Variances and covariance of two planes' Laplacians (four neighbours) over the middle of the region. */
function edgeCovariances(
  a: Float32Array,
  b: Float32Array,
  width: number,
  height: number,
): { own: number; mixed: number; square: number } {
  const { left, top, right, bottom } = middleOf(width, height);
  let [sumA, sumB, squaresA, products, squaresB] = [0, 0, 0, 0, 0];
  for (let y = top; y < bottom; y++) {
    for (let at = y * width + left; at < y * width + right; at++) {
      const first = laplacianAt(a, at, width);
      const second = laplacianAt(b, at, width);
      sumA += first;
      sumB += second;
      squaresA += first * first;
      products += first * second;
      squaresB += second * second;
    }
  }
  const count = Math.max(1, (right - left) * (bottom - top));
  const covariance = (sum: number, one: number, two: number) => sum / count - (one / count) * (two / count);
  return {
    own: covariance(squaresA, sumA, sumA),
    mixed: covariance(products, sumA, sumB),
    square: covariance(squaresB, sumB, sumB),
  };
}

function laplacianAt(plane: Float32Array, at: number, width: number): number {
  const beside = (plane[at - 1] as number) + (plane[at + 1] as number);
  return beside + (plane[at - width] as number) + (plane[at + width] as number) - 4 * (plane[at] as number);
}

/** Where sharpness is measured; never at the border. */
function middleOf(width: number, height: number): { left: number; top: number; right: number; bottom: number } {
  const left = Math.max(1, Math.floor((width * (1 - MEASURED)) / 2));
  const top = Math.max(1, Math.floor((height * (1 - MEASURED)) / 2));
  return { left, top, right: Math.max(left, width - left), bottom: Math.max(top, height - top) };
}

/** Blur of about this standard deviation, by two box means. */
function gaussian(plane: Float32Array, width: number, height: number, sigma: number): Float32Array {
  // Two boxes of side 2r + 1 have the variance ((2r + 1) ** 2 - 1) / 6.
  const radius = Math.max(1, Math.round((Math.sqrt(6 * sigma * sigma + 1) - 1) / 2));
  return boxMean(boxMean(plane, width, height, radius), width, height, radius);
}
