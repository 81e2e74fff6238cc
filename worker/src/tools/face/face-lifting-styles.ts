import type { FaceLifting } from '@clearframe/contract/pipeline';
import type { z } from 'zod';

export type LiftingModel = z.infer<typeof FaceLifting>['model'];

/** Effects at full strength. Shares are 0..1, levels of 255. */
export interface LiftingStyle {
  /** Kept share of the pores' contrast. */
  pores: number;
  /** Kept share of the contrast of blotches and small unevenness; folds and contours stay. */
  unevenness: number;
  /** Removed share of spots; moles stay. */
  blemishes: number;
  /** Share of the move to the surrounding skin's color. */
  evenness: number;
  /** Removed share of darkness under the eyes. */
  underEyes: number;
  /** Added contrast inside the eyes. */
  eyeClarity: number;
  /** Removed share of the whites' color cast. */
  eyeWhites: number;
  /** Maximum lightening of the eyes in levels. */
  eyeLight: number;
  /** Removed share of the teeth's yellow cast. */
  teeth: number;
  /** Added lip color. */
  lips: number;
  /** Levels of red on the cheeks. */
  blush: number;
  /** Levels of light: brighter forehead, nose and cheekbones, darker sides, constant mean. */
  light: number;
  /** Added contrast of light and shade. */
  contrast: number;
  /** Levels of orange in shadows. */
  warmShadows: number;
  /** Change of mean lightness (CIE L*), equal for all tones. */
  lightness: number;
}

export const STYLES: Readonly<Record<LiftingModel, LiftingStyle>> = {
  movie: {
    pores: 0.85,
    unevenness: 0.45,
    blemishes: 0.6,
    evenness: 0.5,
    underEyes: 0.3,
    eyeClarity: 0.3,
    eyeWhites: 0.25,
    eyeLight: 4,
    teeth: 0.3,
    lips: 0.03,
    blush: 0,
    light: 6,
    contrast: 0.17,
    warmShadows: 7,
    lightness: -0.6,
  },
  glam: {
    pores: 0.75,
    unevenness: 0.22,
    blemishes: 0.9,
    evenness: 0.7,
    underEyes: 0.6,
    eyeClarity: 0.7,
    eyeWhites: 0.55,
    eyeLight: 13,
    teeth: 0.6,
    lips: 0.12,
    blush: 1.5,
    light: 16,
    contrast: 0.06,
    warmShadows: 0,
    lightness: 0.9,
  },
  cute: {
    pores: 0.65,
    unevenness: 0.3,
    blemishes: 0.85,
    evenness: 0.6,
    underEyes: 0.7,
    eyeClarity: 0.35,
    eyeWhites: 0.4,
    eyeLight: 17,
    teeth: 0.5,
    lips: 0.14,
    blush: 6,
    light: 4,
    contrast: -0.1,
    warmShadows: 0,
    lightness: 0.9,
  },
  // Its change of a smooth face is just visible (pipeline/visible-change.ts).
  natural: {
    pores: 0.92,
    unevenness: 0.55,
    blemishes: 0.55,
    evenness: 0.4,
    underEyes: 0.35,
    eyeClarity: 0.15,
    eyeWhites: 0.2,
    eyeLight: 4,
    teeth: 0.3,
    lips: 0,
    blush: 0,
    light: 4.5,
    contrast: 0,
    warmShadows: 0,
    lightness: 0.4,
  },
};
