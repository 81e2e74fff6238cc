import { boxBlur } from '../../rasters/filters.js';
import type { Planes } from '../../rasters/raster.js';
import { add, type Face, type Retouch } from './face-lifting-face.js';
import { blush, holdLightness, light, protectHighlights } from './face-lifting-light.js';
import type { LiftingStyle } from './face-lifting-styles.js';
import type { FaceRegions } from './face-regions.js';
import { separateSkin } from './skin-smooth.js';
import { findSkin, smoothstep } from './skin-tone.js';

/** Levels of skin color; below, the picture is black and white or toned. */
const COLOR_RANGE = [3, 8] as const;

/** Null where too little skin is visible. */
export function planRetouch(
  planes: Planes,
  points: Float32Array,
  faceWidth: number,
  regions: FaceRegions,
  style: LiftingStyle,
): Retouch | null {
  const found = findSkin(planes, regions.skin, faceWidth);
  if (!found) return null;
  const { skin, statistics } = found;
  const bands = separateSkin(planes, skin, statistics.luma, faceWidth);
  const color = smoothstep(Math.hypot(statistics.blueDifference, statistics.redDifference), COLOR_RANGE);
  const face: Face = { planes, points, width: faceWidth, regions, skin, statistics, color, bands };
  const { width, height } = planes;
  const size = width * height;
  const retouch: Retouch = {
    width,
    height,
    luma: new Float32Array(size),
    blueDifference: new Float32Array(size),
    redDifference: new Float32Array(size),
    low: bands.low,
    fine: new Float32Array(size),
  };
  smoothSkin(face, style, retouch);
  brightenUnderEyes(face, style, retouch);
  clearEyes(face, style, retouch);
  whitenTeeth(face, style, retouch);
  colorLips(face, style, retouch);
  light(face, style, retouch);
  blush(face, style, retouch);
  protectHighlights(face, retouch);
  holdLightness(face, style, retouch);
  return retouch;
}

/** Share of a flush that is unevenness; the rest is natural. */
const FLUSH_SHARE = 0.5;

function smoothSkin({ planes, skin, bands, statistics }: Face, style: LiftingStyle, retouch: Retouch): void {
  const { low, base, clear, even, blemishes } = bands;
  for (let at = 0; at < skin.length; at++) {
    const weight = skin[at] ?? 0;
    if (weight <= 0) continue;
    const spot = (blemishes[at] ?? 0) * style.blemishes;
    const smoothed = (1 - style.unevenness) * ((base[at] ?? 0) - (low[at] ?? 0));
    const cleared = (clear.luma[at] ?? 0) - (low[at] ?? 0);
    add(retouch.luma, at, weight * (smoothed + (cleared - smoothed) * spot));
    retouch.fine[at] = -weight * (1 - style.pores);
    const blue = planes.blueDifference[at] ?? 0;
    const red = planes.redDifference[at] ?? 0;
    // Flushed patches are wider than any window: reduces what is redder than most of the skin.
    const wide = even.redDifference[at] ?? 0;
    const calm = wide - Math.max(0, wide - statistics.redDifference) * FLUSH_SHARE;
    const blueShift = shiftTowards(blue, even.blueDifference[at] ?? 0, style.evenness);
    const redShift = shiftTowards(red, calm, style.evenness);
    const blueCleared = (clear.blueDifference[at] ?? 0) - blue;
    const redCleared = (clear.redDifference[at] ?? 0) - red;
    add(retouch.blueDifference, at, weight * (blueShift + (blueCleared - blueShift) * spot));
    add(retouch.redDifference, at, weight * (redShift + (redCleared - redShift) * spot));
  }
}

const shiftTowards = (own: number, other: number, part: number): number => (other - own) * part;

/** Maximum lightening and color change of hollows, in levels. */
const MAX_UNDER_EYE = { light: 12, color: 6 } as const;
/** Half of a bag's shadow is the face's shape. */
const SHAPE_SHARE = 0.5;

function brightenUnderEyes({ bands, skin, regions, statistics }: Face, style: LiftingStyle, retouch: Retouch): void {
  const hollows = regions.underEyes;
  for (let at = 0; at < hollows.length; at++) {
    const weight = (hollows[at] ?? 0) * (skin[at] ?? 0) * style.underEyes;
    if (weight <= 0) continue;
    const dark = Math.max(0, statistics.luma - (bands.base[at] ?? 0)) * SHAPE_SHARE;
    add(retouch.luma, at, weight * Math.min(MAX_UNDER_EYE.light, dark));
    const bound = (value: number) => Math.max(-MAX_UNDER_EYE.color, Math.min(MAX_UNDER_EYE.color, value));
    add(retouch.blueDifference, at, weight * bound(statistics.blueDifference - (bands.even.blueDifference[at] ?? 0)));
    add(retouch.redDifference, at, weight * bound(statistics.redDifference - (bands.even.redDifference[at] ?? 0)));
  }
}

/** Blur in face widths for local contrast of eyes, and its maximum growth in levels. */
const EYE_DETAIL = 0.022;
const MAX_EYE_DETAIL = 14;
/** Whites of eyes are brighter than the eye's mean and almost colorless. */
const WHITE_COLOR = [14, 26] as const;
const WHITE_BRIGHTNESS = [0.95, 1.2] as const;
/** Luma relative to the eye's mean; pupil and lashes are below. */
const NO_PUPIL = [0.3, 0.9] as const;

function clearEyes({ planes, regions, bands, width }: Face, style: LiftingStyle, retouch: Retouch): void {
  const eyes = regions.eyes;
  const coarse = boxBlur(planes.luma, planes, EYE_DETAIL * width);
  const mean = meanOver(planes.luma, eyes);
  for (let at = 0; at < eyes.length; at++) {
    const weight = eyes[at] ?? 0;
    if (weight <= 0) continue;
    const brightness = bands.low[at] ?? 0;
    const detail = style.eyeClarity * (brightness - (coarse[at] ?? 0));
    add(retouch.luma, at, weight * Math.max(-MAX_EYE_DETAIL, Math.min(MAX_EYE_DETAIL, detail)));
    // Lightens mid tones most: the pupil stays black, the catchlight white.
    const middle = (4 * brightness * (255 - brightness)) / 255 ** 2;
    add(retouch.luma, at, weight * style.eyeLight * middle * smoothstep(brightness / Math.max(1, mean), NO_PUPIL));
    const color = Math.sqrt((planes.blueDifference[at] ?? 0) ** 2 + (planes.redDifference[at] ?? 0) ** 2);
    const white = smoothstep(brightness / Math.max(1, mean), WHITE_BRIGHTNESS) * (1 - smoothstep(color, WHITE_COLOR));
    add(retouch.blueDifference, at, -weight * white * style.eyeWhites * (planes.blueDifference[at] ?? 0));
    add(retouch.redDifference, at, -weight * white * style.eyeWhites * (planes.redDifference[at] ?? 0));
  }
}

/** Teeth are brighter and less colored than most skin. */
const TEETH_BRIGHTNESS = [0.6, 0.85] as const;
const TEETH_COLOR = [0.75, 1.05] as const;
/** Maximum loss of color in levels, and lightening at full effect. */
const MAX_YELLOW = 14;
const TEETH_LIGHT = 5;

/** Removes yellow with little lightening, to match the light. */
function whitenTeeth({ planes, regions, statistics }: Face, style: LiftingStyle, retouch: Retouch): void {
  const colorOfSkin = Math.max(8, Math.hypot(statistics.blueDifference, statistics.redDifference));
  const mouth = regions.mouth;
  for (let at = 0; at < mouth.length; at++) {
    const region = mouth[at] ?? 0;
    if (region <= 0) continue;
    const blue = planes.blueDifference[at] ?? 0;
    const red = planes.redDifference[at] ?? 0;
    const bright = smoothstep((planes.luma[at] ?? 0) / Math.max(1, statistics.luma), TEETH_BRIGHTNESS);
    const weight =
      region * bright * (1 - smoothstep(Math.sqrt(blue * blue + red * red) / colorOfSkin, TEETH_COLOR)) * style.teeth;
    add(retouch.blueDifference, at, weight * Math.min(MAX_YELLOW, Math.max(0, -blue)));
    add(retouch.redDifference, at, -weight * Math.min(MAX_YELLOW / 2, Math.max(0, red)));
    add(retouch.luma, at, weight * TEETH_LIGHT);
  }
}

/** Maximum reddening in levels, and required redness relative to skin. */
const MAX_LIP_COLOR = 8;
const REDDER = [1, 8] as const;

function colorLips({ planes, regions, statistics }: Face, style: LiftingStyle, retouch: Retouch): void {
  const lips = regions.lips;
  for (let at = 0; at < lips.length; at++) {
    const weight = (lips[at] ?? 0) * (1 - (regions.mouth[at] ?? 0)) * (regions.oval[at] ?? 0) * style.lips;
    if (weight <= 0) continue;
    // Only pixels redder than skin: excludes a moustache.
    const red = planes.redDifference[at] ?? 0;
    const redder = smoothstep(red - statistics.redDifference, REDDER);
    add(retouch.redDifference, at, weight * redder * Math.min(MAX_LIP_COLOR / style.lips, red));
  }
}

function meanOver(values: Float32Array, weights: Float32Array): number {
  let sum = 0;
  let total = 0;
  for (let at = 0; at < weights.length; at++) {
    const weight = weights[at] ?? 0;
    sum += weight * (values[at] ?? 0);
    total += weight;
  }
  return sum / Math.max(1e-6, total);
}
