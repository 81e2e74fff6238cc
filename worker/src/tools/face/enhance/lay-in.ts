import type { Session } from '../../../networks/sessions.js';
import { blendEllipse } from '../../../rasters/blend.js';
import { type Box, crop, type Raster } from '../../../rasters/raster.js';
import { identitySimilarity } from '../verification/identity.js';

/** A restored face that came out less similar than this is mixed with what was there until it is similar enough. */
const LEAST_SIMILARITY = 0.7;
/** Less of it than this is not worth its seams. */
const LEAST_BLEND = 0.15;

export interface Patch {
  restored: Raster;
  /** Where it belongs: a box inside the picture, of its size. */
  at: Box;
  /** The square that `at` was cut from where the picture ends. */
  full: Box;
  /** The box in which the face before and after are compared. */
  measured: Box;
}

/**
 * Lays a restored face into the picture, in place; halves its part while it makes another face of the one in the
 * original, and leaves it out where nothing helps. Returns the part that is in, and the similarity where it is known.
 */
export async function layInWhileSimilar(
  mesh: Session,
  original: Raster,
  picture: Raster,
  { restored, at, full, measured }: Patch,
  share: number,
): Promise<{ blend: number; similarity: number | null }> {
  const before = crop(original, measured);
  const underneath = crop(picture, at);
  for (let blend = share; ; blend /= 2) {
    blendEllipse(picture, restored, at, full, blend);
    const similarity = await identitySimilarity(mesh, before, crop(picture, measured));
    if (similarity === null || similarity >= LEAST_SIMILARITY) return { blend, similarity };
    paste(picture, underneath, at);
    if (blend / 2 < LEAST_BLEND) return { blend: 0, similarity: null };
  }
}

function paste(picture: Raster, patch: Raster, at: Box): void {
  for (let row = 0; row < at.height; row++) {
    const source = patch.data.subarray(row * at.width * 3, (row + 1) * at.width * 3);
    picture.data.set(source, ((at.y + row) * picture.width + at.x) * 3);
  }
}
