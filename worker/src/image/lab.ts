import { isDeep, type Samples } from './picture.js';

/** CIE 15: linear part of the cube root. */
const EPSILON = 216 / 24_389;
const KAPPA = 24_389 / 27;
/** D50 (ICC.1:2022, 6.2). */
const WHITE = { x: 0.9642, z: 0.8249 } as const;
/** XYZ under D50 to linear sRGB, Bradford-adapted to D65. */
const TO_SRGB = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
] as const;

const decoded = (t: number): number => (t ** 3 > EPSILON ? t ** 3 : (116 * t - 16) / KAPPA);

/** IEC 61966-2-1: linear light to codes, both 0..1. */
export function encodeSrgb(linear: number): number {
  if (!(linear > 0)) return 0;
  return linear <= 0.0031308 ? linear * 12.92 : Math.min(1, 1.055 * linear ** (1 / 2.4) - 0.055);
}

/**
 * Converts CIE L*a*b* to sRGB in place. Lightness 0..100 spans the whole range; a* and b* are integers from -128, with
 * 8 fractional bits in 16-bit samples.
 */
export function labToSrgb(samples: Samples, channels: number): void {
  const [full, unit] = isDeep(samples) ? [0xffff, 256] : [0xff, 1];
  for (let at = 0; at + 2 < samples.length; at += channels) {
    const fy = ((samples[at] ?? 0) / full) * (100 / 116) + 16 / 116;
    const x = WHITE.x * decoded(fy + ((samples[at + 1] ?? 0) / unit - 128) / 500);
    const y = decoded(fy);
    const z = WHITE.z * decoded(fy - ((samples[at + 2] ?? 0) / unit - 128) / 200);
    TO_SRGB.forEach(([fromX, fromY, fromZ], channel) => {
      samples[at + channel] = Math.round(encodeSrgb(fromX * x + fromY * y + fromZ * z) * full);
    });
  }
}

/** Adds the offset that {@link labToSrgb} expects to TIFF's signed a* and b*. */
export function unsignLab(samples: Samples, channels: number): void {
  const sign = isDeep(samples) ? 0x8000 : 0x80;
  for (let at = 0; at + 2 < samples.length; at += channels) {
    samples[at + 1] = (samples[at + 1] ?? 0) ^ sign;
    samples[at + 2] = (samples[at + 2] ?? 0) ^ sign;
  }
}
