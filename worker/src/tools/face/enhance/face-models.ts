import { FACE_V1_PRE_BLUR } from '@clearframe/contract/pipeline';
import type { EnsembleOptions } from '../../restoration/ensemble.js';

export type FaceModelName = 'base' | 'v1' | 'v2';

export interface FaceModel extends EnsembleOptions {
  /** Amount of predicted detail for a softness of 2; see `addDetail`. */
  detail: number;
  /** See `addDetail`. */
  clarity: number;
}

export const FACE_MODELS: Readonly<Record<FaceModelName, FaceModel>> = {
  base: {
    intensity: 0.5,
    maxGain: 2,
    small: 0.25,
    large: 0.45,
    largePixels: 144 ** 2,
    preBlur: 0,
    texture: 0,
    detail: 1,
    clarity: 0.09,
  },
  v1: {
    intensity: 0.5,
    maxGain: 2,
    small: 0.4,
    large: 0.45,
    largePixels: 144 ** 2,
    preBlur: FACE_V1_PRE_BLUR,
    texture: 0,
    detail: 0.56,
    clarity: 0.1,
  },
  v2: {
    intensity: 0.5,
    maxGain: 2.5,
    small: 0.15,
    large: 0.7,
    largePixels: 160 ** 2,
    preBlur: 0,
    texture: 0.35,
    detail: 1.2,
    clarity: 0.1,
  },
};
