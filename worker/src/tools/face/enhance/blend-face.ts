import type { Sessions } from '../../../networks/sessions.js';
import { blendEllipse } from '../../../rasters/blend.js';
import { type Box, crop, type Raster } from '../../../rasters/raster.js';
import type { FacePatch, Patch } from '../../context/context.js';
import { IdentityCheck } from '../verification/identity.js';

/** Smaller shares are not worth their seams. */
const MIN_BLEND = 0.15;

/**
 * Blends a restored face in place, halving its share, down to none, while it shows another person. Returns the share,
 * the similarity if known, and whether the share was reduced.
 */
export async function blendWhileSimilar(
  sessions: Sessions,
  original: Raster,
  picture: Raster,
  { restored, at, full, measured, softness }: Patch,
  share: number,
): Promise<Pick<FacePatch, 'blend' | 'similarity' | 'heldBack'>> {
  const check = await IdentityCheck.of(sessions, crop(original, measured), softness);
  const underneath = crop(picture, at);
  for (let blend = share; ; blend /= 2) {
    blendEllipse(picture, restored, at, full, blend);
    const comparison = await check.compare(crop(picture, measured));
    if (!comparison || comparison.same) {
      return { blend, similarity: comparison?.similarity ?? null, heldBack: blend < share };
    }
    paste(picture, underneath, at);
    if (blend / 2 < MIN_BLEND) return { blend: 0, similarity: null, heldBack: true };
  }
}

function paste(picture: Raster, patch: Raster, at: Box): void {
  for (let row = 0; row < at.height; row++) {
    const source = patch.data.subarray(row * at.width * 3, (row + 1) * at.width * 3);
    picture.data.set(source, ((at.y + row) * picture.width + at.x) * 3);
  }
}
