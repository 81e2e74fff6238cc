import { meshFace } from '../../../networks/faces/face-mesh.js';
import type { Session } from '../../../networks/sessions.js';
import { luma, type Raster, resize } from '../../../rasters/raster.js';

/**
 * How much an enhanced face still is the original one, 0..1: 0 where no face is left, null where the original shows
 * none.
 * Compares landmarks, and light and shade at a coarse scale, without a recognition network: detects a deformed or
 * repainted face, not a subtle change of person.
 */
export async function identitySimilarity(mesh: Session, before: Raster, after: Raster): Promise<number | null> {
  const first = await meshFace(mesh, before);
  if (first.presence < MIN_PRESENCE) return null;
  const second = await meshFace(mesh, after);
  if (second.presence < MIN_PRESENCE) return 0;
  const shift = landmarkShift(first.points, second.points);
  const correlation = await coarseCorrelation(before, after);
  return Math.max(0, Math.min(1, correlation * Math.exp(-SHIFT_PENALTY * shift)));
}

const MIN_PRESENCE = 0.5;
/** A mean shift of 1/20 of the distance between the eyes costs a fifth of the similarity. */
const SHIFT_PENALTY = 4.5;
/** Outer corners of the eyes among the 468 points. */
const RIGHT_EYE = 33;
const LEFT_EYE = 263;
/** Side of the correlated pictures: features remain, texture does not. */
const COARSE_SIDE = 24;

/** Mean distance between matching points, in eye distances. */
function landmarkShift(a: Float32Array, b: Float32Array): number {
  const eyes = Math.hypot(
    (a[LEFT_EYE * 2] ?? 0) - (a[RIGHT_EYE * 2] ?? 0),
    (a[LEFT_EYE * 2 + 1] ?? 0) - (a[RIGHT_EYE * 2 + 1] ?? 0),
  );
  let sum = 0;
  for (let at = 0; at < a.length; at += 2) {
    sum += Math.hypot((a[at] ?? 0) - (b[at] ?? 0), (a[at + 1] ?? 0) - (b[at + 1] ?? 0));
  }
  return sum / (a.length / 2) / Math.max(eyes, 1e-3);
}

/** Pearson correlation of luma at a very small size. */
async function coarseCorrelation(before: Raster, after: Raster): Promise<number> {
  const a = luma(await resize(before, COARSE_SIDE, COARSE_SIDE, 'linear'));
  const b = luma(await resize(after, COARSE_SIDE, COARSE_SIDE, 'linear'));
  const meanA = mean(a);
  const meanB = mean(b);
  let covariance = 0;
  let varianceA = 0;
  let varianceB = 0;
  for (let index = 0; index < a.length; index++) {
    const offA = (a[index] ?? 0) - meanA;
    const offB = (b[index] ?? 0) - meanB;
    covariance += offA * offB;
    varianceA += offA * offA;
    varianceB += offB * offB;
  }
  return covariance / Math.sqrt(Math.max(1e-6, varianceA * varianceB));
}

function mean(values: Float32Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}
