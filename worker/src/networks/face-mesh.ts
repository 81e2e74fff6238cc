import type { Raster } from '../rasters/raster.js';
import { resize } from '../rasters/resize.js';
import type { Session } from './sessions.js';

export interface FaceMesh {
  /** x and y of 468 points, 0..1 of the crop. */
  points: Float32Array;
  /** Probability that the crop shows a face, 0..1. */
  presence: number;
}

const SIDE = 192;
const POINTS = 468;

/** For one face in a square crop of about 1.5 times its box. */
export async function meshFace(session: Session, face: Raster): Promise<FaceMesh> {
  const scaled = await resize(face, SIDE, SIDE, 'cubic');
  const plane = SIDE * SIDE;
  const planes = new Float32Array(3 * plane);
  for (let pixel = 0, source = 0; pixel < plane; pixel++, source += 3) {
    planes[pixel] = (scaled.data[source] ?? 0) / 255;
    planes[pixel + plane] = (scaled.data[source + 1] ?? 0) / 255;
    planes[pixel + 2 * plane] = (scaled.data[source + 2] ?? 0) / 255;
  }
  const [mesh, presence] = await session.run(planes, [1, 3, SIDE, SIDE]);
  if (!mesh || !presence) throw new Error('The face mesh returned too few outputs');
  const points = new Float32Array(POINTS * 2);
  for (let point = 0; point < POINTS; point++) {
    points[point * 2] = (mesh[point * 3] ?? 0) / SIDE;
    points[point * 2 + 1] = (mesh[point * 3 + 1] ?? 0) / SIDE;
  }
  return { points, presence: presence[0] ?? 0 };
}
