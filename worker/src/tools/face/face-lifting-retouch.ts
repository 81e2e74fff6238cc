import type { Planes } from '../../rasters/planes.js';
import { add, type Face, type Retouch } from './face-lifting-face.js';
import { clearEyes, colorLips, whitenTeeth } from './face-lifting-features.js';
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
  const face: Face = { planes, points, width: faceWidth, regions, skin: skin.data, statistics, color, bands };
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
  const hollows = regions.underEyes.data;
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
