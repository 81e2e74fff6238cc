import { bytesAt, floatsAt, heap, kernels, reserve, withKernels } from './kernels.js';
import type { Box, Raster } from './raster.js';

/** Relative radius of full opacity; from here the patch fades out. */
const OPAQUE_RADIUS = 0.62;
/** Relative radius beyond which less than a fifth of the opacity is left. */
const VISIBLE_RADIUS = 0.9;

/**
 * Blends a patch through a feathered ellipse, in place. The patch covers `at`; the ellipse belongs to `full`, the
 * region before it was cut at the picture's edge, where faces must not fade.
 */
export function blendEllipse(picture: Raster, patch: Raster, at: Box, full: Box, share: number): void {
  const across = ellipseTerms(at.x - full.x, at.width, full.width);
  const down = ellipseTerms(at.y - full.y, at.height, full.height);
  const stride = at.width * 3;
  withKernels(() => {
    const shares = reserve(4 * at.width);
    const [own, restored, blended] = [reserve(stride), reserve(stride), reserve(stride)];
    for (let y = 0; y < at.height; y++) {
      if (!writeOpacities(across, down[y] ?? 1, share, floatsAt(shares, at.width))) continue;
      const start = ((at.y + y) * picture.width + at.x) * 3;
      heap.bytes.set(picture.data.subarray(start, start + stride), own);
      heap.bytes.set(patch.data.subarray(y * stride, (y + 1) * stride), restored);
      kernels.blendBytes(own, restored, shares, blended, at.width);
      picture.data.set(bytesAt(blended, stride), start);
    }
  });
}

/** Where a patch shows in {@link blendEllipse}, in fractions of `at`. */
export function visiblePart(at: Box, full: Box): Box {
  const [width, height] = [VISIBLE_RADIUS * full.width, VISIBLE_RADIUS * full.height];
  return {
    x: (full.x + (full.width - width) / 2 - at.x) / at.width,
    y: (full.y + (full.height - height) / 2 - at.y) / at.height,
    width: width / at.width,
    height: height / at.height,
  };
}

/** Writes the opacities of a row of the ellipse; false where the row is outside. */
function writeOpacities(across: Float32Array, vertical: number, share: number, opacities: Float32Array): boolean {
  if (vertical >= 1) return false;
  for (let x = 0; x < opacities.length; x++) {
    const distance = vertical + (across[x] as number);
    opacities[x] = distance <= OPAQUE_RADIUS ** 2 ? share : distance >= 1 ? 0 : share * fade(Math.sqrt(distance));
  }
  return true;
}

/** Squared distance from the center, in radii. */
function ellipseTerms(start: number, length: number, full: number): Float32Array {
  return Float32Array.from({ length }, (_, index) => (((start + index + 0.5) * 2) / full - 1) ** 2);
}

/** From 1 at the opaque radius to 0 at the edge, smooth. */
function fade(distance: number): number {
  const part = (1 - distance) / (1 - OPAQUE_RADIUS);
  return part * part * (3 - 2 * part);
}
