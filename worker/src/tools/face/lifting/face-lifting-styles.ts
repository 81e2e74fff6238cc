import type { FaceLifting } from '@clearframe/contract';
import type { z } from 'zod';

export type LiftingModel = z.infer<typeof FaceLifting>['model'];

/** What a style does to a face at full strength. Parts are 0..1; levels are of 255. */
export interface LiftingStyle {
  /** Part of the pores' contrast that stays. */
  pores: number;
  /** Part of the contrast of blotches and small unevenness that stays; folds and contours stay as they are. */
  unevenness: number;
  /** Part of spots that goes. Moles stay. */
  blemishes: number;
  /** How far colour goes towards that of the skin around. */
  evenness: number;
  /** Part of the darkness under the eyes that goes. */
  underEyes: number;
  /** Growth of the contrast inside the eyes. */
  eyeClarity: number;
  /** Part of the colour cast of the whites that goes. */
  eyeWhites: number;
  /** Levels by which the eyes lighten at most. */
  eyeLight: number;
  /** Part of the yellow cast of teeth that goes. */
  teeth: number;
  /** Growth of the lips' colour. */
  lips: number;
  /** Levels of red on the cheeks. */
  blush: number;
  /** Levels that light moves: up on forehead, nose and cheekbones, down at the sides. The mean stays. */
  light: number;
  /** Growth of the contrast of light and shade over the whole face. */
  contrast: number;
  /** Levels by which shadows go towards orange. */
  warmShadows: number;
  /** Change of the skin's mean lightness (CIE L*), the same for every tone of skin. */
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
  natural: {
    pores: 0.95,
    unevenness: 0.65,
    blemishes: 0.5,
    evenness: 0.3,
    underEyes: 0.25,
    eyeClarity: 0.12,
    eyeWhites: 0.15,
    eyeLight: 3,
    teeth: 0.25,
    lips: 0,
    blush: 0,
    light: 2,
    contrast: 0,
    warmShadows: 0,
    lightness: 0.2,
  },
};
