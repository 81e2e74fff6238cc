import type { Box, Raster } from './raster.js';

/** Within this part of the ellipse a patch counts fully; from here to its edge it fades out. */
const SOLID = 0.62;

/**
 * Lays a patch over the picture through a feathered ellipse, in place. The patch covers `at`; the ellipse belongs
 * to `full`, the region as it would be if the picture did not end, so that a face at the edge is not faded there.
 */
export function blendEllipse(picture: Raster, patch: Raster, at: Box, full: Box, share: number): void {
  const across = ellipseTerms(at.x - full.x, at.width, full.width);
  const down = ellipseTerms(at.y - full.y, at.height, full.height);
  const { data } = picture;
  for (let y = 0; y < at.height; y++) {
    const vertical = down[y] ?? 1;
    let source = y * at.width * 3;
    let target = ((at.y + y) * picture.width + at.x) * 3;
    for (let x = 0; x < at.width; x++, source += 3, target += 3) {
      const distance = vertical + (across[x] ?? 1);
      if (distance >= 1) continue;
      const opacity = share * fade(Math.sqrt(distance));
      for (let channel = 0; channel < 3; channel++) {
        const own = data[target + channel] ?? 0;
        data[target + channel] = own + ((patch.data[source + channel] ?? 0) - own) * opacity + 0.5;
      }
    }
  }
}

/** Squared distance from the centre along one axis, in radii. */
function ellipseTerms(start: number, length: number, full: number): Float32Array {
  return Float32Array.from({ length }, (_, index) => (((start + index + 0.5) * 2) / full - 1) ** 2);
}

/** 1 near the centre, 0 at the edge, smooth at both ends. */
function fade(distance: number): number {
  if (distance <= SOLID) return 1;
  const part = (1 - distance) / (1 - SOLID);
  return part * part * (3 - 2 * part);
}
