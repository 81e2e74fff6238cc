import type { Samples } from '../picture/picture.js';

/** Rounding error relative to white. */
const TOLERANCE = 2 / 255;
/** Pixels per million that may be darker than a matte allows. */
const STRAYS_PER_MILLION = 1_000;

/**
 * Removes the white matte that Photoshop adds to a transparent merged picture. Other programs add none: a picture
 * darker than a matte allows is left unchanged.
 */
export function removeWhiteMatte(rgb: Samples, alpha: Samples): void {
  const white = rgb instanceof Uint16Array ? 0xffff : 0xff;
  if (!couldHaveMatte(rgb, alpha, white)) return;
  for (let pixel = 0; pixel < alpha.length; pixel++) {
    const opacity = (alpha[pixel] ?? white) / white;
    if (opacity === 0 || opacity === 1) continue;
    for (let at = pixel * 3; at < pixel * 3 + 3; at++) {
      const mixed = rgb[at] ?? 0;
      rgb[at] = Math.min(white, Math.max(0, Math.round((mixed - white * (1 - opacity)) / opacity)));
    }
  }
}

function couldHaveMatte(rgb: Samples, alpha: Samples, white: number): boolean {
  const allowed = (alpha.length * STRAYS_PER_MILLION) / 1e6;
  let strays = 0;
  for (let pixel = 0; pixel < alpha.length; pixel++) {
    const least = white * (1 - TOLERANCE) - (alpha[pixel] ?? white);
    const at = pixel * 3;
    if ((rgb[at] ?? 0) < least || (rgb[at + 1] ?? 0) < least || (rgb[at + 2] ?? 0) < least) strays++;
  }
  return strays <= allowed;
}
