import type { Samples } from './picture.js';

/** Rounding error, relative to white. */
const TOLERANCE = 2 / 255;
/** Per million pixels. */
const MAX_OUTLIERS = 1_000;

/**
 * Removes the white matte of Photoshop's transparent merged pictures. Other programs add none: a picture darker than a
 * matte allows stays unchanged.
 */
export function removeWhiteMatte(rgb: Samples, alpha: Samples): void {
  const white = rgb instanceof Uint16Array ? 0xffff : 0xff;
  if (!mayHaveWhiteMatte(rgb, alpha, white)) return;
  for (let pixel = 0; pixel < alpha.length; pixel++) {
    const opacity = (alpha[pixel] ?? white) / white;
    if (opacity === 0 || opacity === 1) continue;
    for (let at = pixel * 3; at < pixel * 3 + 3; at++) {
      const mixed = rgb[at] ?? 0;
      rgb[at] = Math.min(white, Math.max(0, Math.round((mixed - white * (1 - opacity)) / opacity)));
    }
  }
}

/** Undoes a multiplication of the colors by the transparency. Fully transparent pixels have no color. */
export function divideByAlpha(rgb: Samples, alpha: Samples): void {
  const white = rgb instanceof Uint16Array ? 0xffff : 0xff;
  for (let pixel = 0; pixel < alpha.length; pixel++) {
    const opacity = (alpha[pixel] ?? white) / white;
    if (opacity === 0 || opacity === 1) continue;
    for (let at = pixel * 3; at < pixel * 3 + 3; at++) rgb[at] = Math.min(white, Math.round((rgb[at] ?? 0) / opacity));
  }
}

function mayHaveWhiteMatte(rgb: Samples, alpha: Samples, white: number): boolean {
  const allowed = (alpha.length * MAX_OUTLIERS) / 1e6;
  let outliers = 0;
  for (let pixel = 0; pixel < alpha.length; pixel++) {
    const least = white * (1 - TOLERANCE) - (alpha[pixel] ?? white);
    const at = pixel * 3;
    if ((rgb[at] ?? 0) < least || (rgb[at + 1] ?? 0) < least || (rgb[at + 2] ?? 0) < least) outliers++;
  }
  return outliers <= allowed;
}
