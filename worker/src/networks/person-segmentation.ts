import type { Plane } from '../rasters/guided-filter.js';
import type { Box, Raster } from '../rasters/raster.js';
import { resizePart } from '../rasters/resize.js';
import type { Session } from './sessions.js';

const SIDE = 256;

/** Probability of a person in a part of a picture, 0..1, on a grid of 256 x 256: mean of the part and its mirror image. */
export async function segmentPerson(session: Session, picture: Raster, at: Box): Promise<Plane> {
  const { data } = await resizePart(picture, at, SIDE, SIDE, 'linear');
  const plane = SIDE * SIDE;
  const planes = new Float32Array(3 * plane);
  const mirrored = new Float32Array(3 * plane);
  for (let y = 0, source = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      for (let channel = 0; channel < 3; channel++) {
        const value = (data[source++] ?? 0) / 255;
        planes[channel * plane + y * SIDE + x] = value;
        mirrored[channel * plane + y * SIDE + (SIDE - 1 - x)] = value;
      }
    }
  }
  const [direct] = await session.run(planes, [1, 3, SIDE, SIDE]);
  const [reflected] = await session.run(mirrored, [1, 3, SIDE, SIDE]);
  if (direct?.length !== plane || reflected?.length !== plane)
    throw new Error('The person segmentation returned too few outputs');
  const mean = new Float32Array(plane);
  for (let at = 0; at < plane; at++) {
    const x = at % SIDE;
    mean[at] = ((direct[at] ?? 0) + (reflected[at - x + SIDE - 1 - x] ?? 0)) / 2;
  }
  return { width: SIDE, height: SIDE, data: mean };
}
