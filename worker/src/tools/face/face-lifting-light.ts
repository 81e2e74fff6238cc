import { boxBlur } from '../../rasters/filters.js';
import type { Planes } from '../../rasters/raster.js';
import { add, type Face, type Retouch } from './face-lifting-face.js';
import type { LiftingStyle } from './face-lifting-styles.js';
import { pointOf } from './face-regions-shape.js';
import { smoothstep } from './skin-tone.js';

const LIGHTS = [
  { at: 151, reach: 0.16, share: 0.9 },
  { at: 197, reach: 0.07, share: 0.6 },
  { at: 118, reach: 0.12, share: 1 },
  { at: 347, reach: 0.12, share: 1 },
  { at: 199, reach: 0.08, share: 0.5 },
];
/** Shadow, relative to the skin's luma. */
const SHADOW = [0.05, 0.45] as const;
/** Luma of skin for which the styles' levels of light are given. */
const MEDIUM_BRIGHTNESS = 150;
/** Change of the sides per level of lightening in the middle. */
const SIDES = 0.5;
/** Red per level of yellow, and reach beyond skin in face widths. */
const WARM_RED = 0.6;
const WARMTH_BLUR = 0.02;
/** Contrast grows no further from this shade, in levels. */
const MAX_SHADE = 45;
/** Blur of light and shade in face widths, and the minimum of skin within. */
const SHADE_BLUR = 0.05;
const MIN_SKIN = 1e-3;
const ENOUGH_SKIN = [0.02, 0.35] as const;

export function light(face: Face, style: LiftingStyle, retouch: Retouch): void {
  const { planes, points, width, regions, skin, statistics } = face;
  const shade = shadeOf(face);
  const lightAt = lightsAt(planes, points, width, LIGHTS);
  // The same levels look stronger on darker skin.
  const levels = style.light * Math.max(0.6, Math.min(1.1, statistics.luma / MEDIUM_BRIGHTNESS));
  const warmth = style.warmShadows * face.color;
  const near = boxBlur(skin, planes, WARMTH_BLUR * width);
  for (let at = 0; at < lightAt.length; at++) {
    const glow = regions.glow[at] ?? 0;
    if (glow <= 0) continue;
    add(retouch.luma, at, glow * levels * ((lightAt[at] ?? 0) - SIDES * (1 - glow)));
    const difference = shade[at] ?? 0;
    add(retouch.luma, at, glow * style.contrast * Math.max(-MAX_SHADE, Math.min(MAX_SHADE, difference)));
    // Eyes, lips, teeth and frames keep their colors; brows and lids follow the skin.
    const shadow = glow * (near[at] ?? 0) * smoothstep(-difference / statistics.luma, SHADOW);
    add(retouch.blueDifference, at, -warmth * shadow);
    add(retouch.redDifference, at, warmth * WARM_RED * shadow);
  }
}

/** Luma of the surrounding skin relative to the whole skin, in levels: lips and brows don't count as shadows. */
function shadeOf({ planes, bands, width, skin, statistics }: Face): Float32Array {
  const sigma = SHADE_BLUR * width;
  const weights = boxBlur(skin, planes, sigma);
  const offsets = skin.map((weight, at) => weight * ((bands.base[at] ?? 0) - statistics.luma));
  const sums = boxBlur(offsets, planes, sigma);
  for (let at = 0; at < sums.length; at++) {
    const weight = weights[at] ?? 0;
    // Unknown with little skin near.
    sums[at] = ((sums[at] ?? 0) / Math.max(MIN_SKIN, weight)) * smoothstep(weight, ENOUGH_SKIN);
  }
  return sums;
}

const CHEEKS = [
  { at: 205, reach: 0.1, share: 0.6 },
  { at: 425, reach: 0.1, share: 0.6 },
  { at: 50, reach: 0.11, share: 0.6 },
  { at: 280, reach: 0.11, share: 0.6 },
];

/** Redness above the face's mean, in levels, from which blush is reduced, and omitted. */
const RED_ALREADY = [2, 12] as const;

export function blush(
  { planes, points, width, skin, statistics, bands, color }: Face,
  style: LiftingStyle,
  retouch: Retouch,
): void {
  if (style.blush <= 0) return;
  const lightAt = lightsAt(planes, points, width, CHEEKS);
  for (let at = 0; at < lightAt.length; at++) {
    const pale = 1 - smoothstep((bands.even.redDifference[at] ?? 0) - statistics.redDifference, RED_ALREADY);
    add(retouch.redDifference, at, (skin[at] ?? 0) * (lightAt[at] ?? 0) * pale * style.blush * color);
  }
}

interface LightSpot {
  at: number;
  /** Standard deviation in face widths. */
  reach: number;
  share: number;
}

function lightsAt({ width, height }: Planes, points: Float32Array, faceWidth: number, spots: readonly LightSpot[]) {
  const sum = new Float32Array(width * height);
  for (const { at, reach, share } of spots) {
    const center = pointOf(points, at);
    const spread = 2 * (reach * faceWidth) ** 2;
    const across = Float32Array.from({ length: width }, (_, x) => Math.exp(-((x - center.x) ** 2) / spread));
    for (let y = 0; y < height; y++) {
      const down = share * Math.exp(-((y - center.y) ** 2) / spread);
      if (down < 1e-3) continue;
      for (let x = 0; x < width; x++) add(sum, y * width + x, down * (across[x] ?? 0));
    }
  }
  return sum;
}

/** Luma from which lightening is reduced, and at which it stops. */
const BRIGHT = [215, 248] as const;

export function protectHighlights({ planes }: Face, retouch: Retouch): void {
  for (let at = 0; at < retouch.luma.length; at++) {
    const value = retouch.luma[at] ?? 0;
    if (value > 0) retouch.luma[at] = value * (1 - smoothstep(planes.luma[at] ?? 0, BRIGHT));
  }
}

/** Every third pixel suffices for the mean. */
const LIGHTNESS_STRIDE = 3;

/** Sets the mean lightness to the style's change. */
export function holdLightness({ planes, regions, skin }: Face, style: LiftingStyle, retouch: Retouch): void {
  for (let round = 0; round < 2; round++) {
    let change = 0;
    let total = 0;
    let slope = 0;
    for (let at = 0; at < skin.length; at += LIGHTNESS_STRIDE) {
      const weight = skin[at] ?? 0;
      if (weight <= 0) continue;
      const y = planes.luma[at] ?? 0;
      const before = lightness(y);
      change += weight * (lightness(y + (retouch.luma[at] ?? 0)) - before);
      slope += weight * (regions.glow[at] ?? 0) * (lightness(y + 1) - before);
      total += weight;
    }
    if (total <= 0 || slope <= 0) return;
    const shift = (style.lightness * total - change) / slope;
    for (let at = 0; at < skin.length; at++) add(retouch.luma, at, (regions.glow[at] ?? 0) * shift);
  }
}

/** CIE L* of an sRGB gray. */
function lightness(level: number): number {
  const part = Math.max(0, Math.min(255, level)) / 255;
  const linear = part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  return linear <= 216 / 24389 ? (linear * 24389) / 27 : 116 * Math.cbrt(linear) - 16;
}
