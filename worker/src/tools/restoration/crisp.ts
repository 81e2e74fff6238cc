import { boxMean } from '../../rasters/filters.js';
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
  const coarse = soften(difference, SCALE.evidence);
  const disagreement = soften(coarse.map(Math.abs), SCALE.disagreement);
  const middle = soften(other, SCALE.finest);
  const wide = soften(other, SCALE.edge);
  const contrast = soften(
    other.map((value, at) => (value - (wide[at] as number)) ** 2),
    SCALE.edgeWindow,
  );
  const { invented, reliable } = EDGE_CONTRAST;
  const halfContrast = sharp === base ? EDGE_CONTRAST.own : invented + (reliable - invented) * reliability;
  let missing: Float32Array = new Float32Array(own.length);
  let finest: Float32Array = new Float32Array(own.length);
  for (let at = 0; at < own.length; at++) {
    const edge = halfContrast * (1 - (features?.[at] ?? 0) / 2);
    const power = contrast[at] as number;
    const trust = power / (power + edge * edge) / (1 + ((disagreement[at] as number) / DISAGREEMENT) ** 2);
    missing[at] = trust * ((difference[at] as number) - (coarse[at] as number));
    finest[at] = Math.min(trust, 1 / MAX_BOOST) * ((other[at] as number) - (middle[at] as number));
  }
  // The weights leak detail into the scales that the input shows.
  const unseen = (plane: Float32Array) => {
    const seen = soften(plane, SCALE.evidence);
    return plane.map((value, at) => value - (seen[at] as number));
  };
  missing = unseen(missing);
  finest = unseen(finest);
  const claimed = sharpness * (1 + RELIABLE_CLAIM * reliability) * CLAIMED.factor * softness ** -CLAIMED.falloff;
  const known = soften(own, SCALE.known);
  const octave = soften(own, 2 * SCALE.known).map((value, at) => (known[at] as number) - value);
  const wanted =
    (claimed * EXPECTED.factor * softness ** -EXPECTED.falloff) ** 2 * covariance(octave, octave, width, height);
  const ownEdges = laplacian(own, width);
  const detail = shareFor(wanted, ownEdges, laplacian(missing, width), width, height, 1);
  const detailed = own.map((value, at) => value + detail * (missing[at] as number));
  const boost =
    detail < 1
      ? 0
      : shareFor(wanted, laplacian(detailed, width), laplacian(finest, width), width, height, MAX_BOOST * sharpness);
  // A clamped array rounds and clamps on assignment.
  const target = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
  for (let at = 0, to = 0; at < own.length; at++) {
    const added = detail * (missing[at] as number) + boost * (finest[at] as number);
    for (const end = to + 3; to < end; to++) target[to] = (data[to] as number) + added;
  }
}

/** The share of `added`, up to `most`, with which the variance of `edges` plus it reaches `wanted`. */
function shareFor(
  wanted: number,
  edges: Float32Array,
  added: Float32Array,
  width: number,
  height: number,
  most: number,
): number {
  const square = covariance(added, added, width, height);
  const mixed = covariance(edges, added, width, height);
  const lacking = wanted - covariance(edges, edges, width, height);
  if (lacking <= 0) return 0;
  if (square < 1e-6) return most;
  return Math.min(most, (Math.sqrt(mixed * mixed + square * lacking) - mixed) / square);
}

/** Covariance over the middle of the region. */
function covariance(a: Float32Array, b: Float32Array, width: number, height: number): number {
  const left = Math.floor((width * (1 - MEASURED)) / 2);
  const top = Math.floor((height * (1 - MEASURED)) / 2);
  let [count, sumA, sumB, products] = [0, 0, 0, 0];
  for (let y = top; y < height - top; y++) {
    for (let at = y * width + left; at < (y + 1) * width - left; at++, count++) {
      const [first, second] = [a[at] as number, b[at] as number];
      sumA += first;
      sumB += second;
      products += first * second;
    }
  }
  return products / count - (sumA / count) * (sumB / count);
}

/** Of the four neighbours; zero at the borders. */
function laplacian(plane: Float32Array, width: number): Float32Array {
  const result = new Float32Array(plane.length);
  for (let at = width + 1; at < plane.length - width - 1; at++) {
    const neighbours =
      (plane[at - 1] as number) +
      (plane[at + 1] as number) +
      (plane[at - width] as number) +
      (plane[at + width] as number);
    result[at] = neighbours - 4 * (plane[at] as number);
  }
  return result;
}

/** Blur of about this standard deviation, by two box means. */
function gaussian(plane: Float32Array, width: number, height: number, sigma: number): Float32Array {
  // Two boxes of side 2r + 1 have the variance ((2r + 1) ** 2 - 1) / 6.
  const radius = Math.max(1, Math.round((Math.sqrt(6 * sigma * sigma + 1) - 1) / 2));
  return boxMean(boxMean(plane, width, height, radius), width, height, radius);
}
