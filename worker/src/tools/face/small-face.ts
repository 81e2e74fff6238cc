import { runAligned } from '../../networks/aligned-restoration.js';
import { applyTo, fivePoints, type Similarity, warp } from '../../networks/face-alignment.js';
import type { Session, Sessions } from '../../networks/sessions.js';
import type { Raster } from '../../rasters/raster.js';
import type { FaceGeometry } from './face-geometry.js';

/** A restored small face in the pixels of its region. */
interface SmallFace {
  raster: Raster;
  /** Per pixel: 1 inside the aligned square, fading to 0 at its border. */
  weight: Float32Array;
}

/** Part of the aligned square, from its center, in which the result counts fully. */
const SOLID = 0.72;

/** Restores a face with the network for small faces. `points` of its mesh are in pixels of the region. */
export async function restoreSmallFace(session: Session, region: Raster, points: Float32Array): Promise<SmallFace> {
  const { face, transform } = await runAligned(session, region, fivePoints(points));
  const { width, height } = region;
  return { raster: warp(face, transform, width, height), weight: weightsOf(transform, face.width, width, height) };
}

/** The restored region with the small face in it, to a share of 0..1. */
export async function guideBySmallFace(
  sessions: Sessions,
  original: Raster,
  restored: Raster,
  { points }: Pick<FaceGeometry, 'points'>,
  share: number,
): Promise<Raster> {
  const { raster, weight } = await restoreSmallFace(await sessions.get('restore-small-face'), original, points);
  const data = restored.data.map((value, at) => {
    return value + ((raster.data[at] ?? 0) - value) * share * (weight[Math.floor(at / 3)] ?? 0) + 0.5;
  });
  return { ...restored, data };
}

function weightsOf(transform: Similarity, side: number, width: number, height: number): Float32Array {
  const weight = new Float32Array(width * height);
  for (let at = 0; at < weight.length; at++) {
    const [u, v] = applyTo(transform, [(at % width) + 0.5, Math.floor(at / width) + 0.5]);
    const distance = Math.max(Math.abs((2 * u) / side - 1), Math.abs((2 * v) / side - 1));
    const part = Math.max(0, Math.min(1, (1 - distance) / (1 - SOLID)));
    weight[at] = part * part * (3 - 2 * part);
  }
  return weight;
}
