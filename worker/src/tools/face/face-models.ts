import { FACE_V1_PRE_BLUR } from '@clearframe/contract/pipeline';

export type FaceModelName = 'base' | 'v1' | 'v2';

export interface FaceModel {
  /** Standard deviation, in the picture's pixels, of a Gaussian blur before the networks; 0 for none. */
  preBlur: number;
  /** How much of the face's own finest detail is added to the result, 0..1. */
  texture: number;
  /** Amount of predicted detail for a softness of 2; see `addDetail`. */
  detail: number;
  /** See `addDetail`. */
  clarity: number;
}

export const FACE_MODELS: Readonly<Record<FaceModelName, FaceModel>> = {
  base: { preBlur: 0, texture: 0, detail: 1.1, clarity: 0.09 },
  v1: { preBlur: FACE_V1_PRE_BLUR, texture: 0, detail: 0.62, clarity: 0.1 },
  v2: { preBlur: 0, texture: 0.35, detail: 1.35, clarity: 0.1 },
};
