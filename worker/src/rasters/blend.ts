import type { Box, Raster } from './raster.js';

/** Relative radius of full opacity; from here the patch fades out. */
const OPAQUE_RADIUS = 0.62;

/**
 * Blends a patch through a feathered ellipse, in place. The patch covers `at`; the ellipse belongs to `full`, the
 * region before it was cut at the picture's edge, so that faces there don't fade.
 */
export function blendEllipse(picture: Raster, patch: Raster, at: Box, full: Box, share: number): void {
  const across = ellipseTerms(at.x - full.x, at.width, full.width);
  const down = ellipseTerms(at.y - full.y, at.height, full.height);
  const { data } = picture;
  const restored = patch.data;
  for (let y = 0; y < at.height; y++) {
    const vertical = down[y] ?? 1;
    let source = y * at.width * 3;
    let target = ((at.y + y) * picture.width + at.x) * 3;
    for (let x = 0; x < at.width; x++, source += 3, target += 3) {
      const distance = vertical + (across[x] as number);
      if (distance >= 1) continue;
      const opacity = distance <= OPAQUE_RADIUS ** 2 ? share : share * fade(Math.sqrt(distance));
      const red = data[target] as number;
      const green = data[target + 1] as number;
      const blue = data[target + 2] as number;
      data[target] = red + ((restored[source] as number) - red) * opacity + 0.5;
      data[target + 1] = green + ((restored[source + 1] as number) - green) * opacity + 0.5;
      data[target + 2] = blue + ((restored[source + 2] as number) - blue) * opacity + 0.5;
    }
  }
}

/** Squared distance from the centre, in radii. */
function ellipseTerms(start: number, length: number, full: number): Float32Array {
  return Float32Array.from({ length }, (_, index) => (((start + index + 0.5) * 2) / full - 1) ** 2);
}

/** From 1 at the opaque radius to 0 at the edge, smooth. */
function fade(distance: number): number {
  const part = (1 - distance) / (1 - OPAQUE_RADIUS);
  return part * part * (3 - 2 * part);
}
