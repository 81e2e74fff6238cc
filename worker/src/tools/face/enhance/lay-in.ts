import type { Session } from '../../../networks/sessions.js';
import { blendEllipse } from '../../../rasters/blend.js';
import { type Box, crop, type Raster } from '../../../rasters/raster.js';
import { identitySimilarity } from '../verification/identity.js';

/** Below this similarity a restored face is blended less. */
const MIN_SIMILARITY = 0.7;
/** A smaller share is not worth its seams. */
const MIN_BLEND = 0.15;

export interface Patch {
  restored: Raster;
  /** A box inside the picture, of the patch's size. */
  at: Box;
  /** The square before it was cut at the picture's edge. */
  full: Box;
  /** The box in which faces are compared. */
  measured: Box;
}

/**
 * Blends a restored face into the picture, in place, halving its share while it changes the identity, down to none.
 * Returns the share and the similarity, where it is known.
 */
export async function blendWhileSimilar(
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
    if (similarity === null || similarity >= MIN_SIMILARITY) return { blend, similarity };
    paste(picture, underneath, at);
    if (blend / 2 < MIN_BLEND) return { blend: 0, similarity: null };
  }
}

function paste(picture: Raster, patch: Raster, at: Box): void {
  for (let row = 0; row < at.height; row++) {
    const source = patch.data.subarray(row * at.width * 3, (row + 1) * at.width * 3);
    picture.data.set(source, ((at.y + row) * picture.width + at.x) * 3);
  }
}
