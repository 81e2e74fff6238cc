import type { Recipe } from '@clearframe/contract';
import type { DetectedFace } from '../../networks/faces/face-detector.js';
import type { Sessions } from '../../networks/sessions.js';
import type { Box, Raster } from '../../rasters/raster.js';
import type { Assessment } from '../signal/reclaim.js';

/** What was done to one face. */
export interface FaceReport {
  /** In pixels of the output, inside the picture. */
  box: Box;
  /** The detector's confidence, 0..1. */
  confidence: number;
  /** See `identitySimilarity`; null where it could not be measured or the face was left alone. */
  identitySimilarity: number | null;
  /** How much of the restored face is in the result, 0 (left alone) to 1. */
  blend: number;
}

/** A face to work on. */
export interface Face extends DetectedFace {
  /** Of the face and its surroundings; see `measureDetail`. */
  softness: number;
}

export type LeftAlone = NonNullable<Recipe['leftAlone']>[number];

/** State shared by the steps of one picture. All rasters have the same size. */
export interface PipelineContext {
  readonly sessions: Sessions;
  readonly signal: AbortSignal;
  /** The input; read-only. */
  readonly original: Raster;
  /** The result so far; steps write to it. */
  readonly current: Raster;
  /** The picture at its real resolution, and its defects; null before the measurement. */
  assessed: Assessment | null;
  /** The denoised luma of the original, where noise is strong enough to pass for detail. */
  noiseless: Raster | null;
  /** Unlimited output of the small network for the whole original; null before it ran. */
  cleaned: { raster: Raster; reduction: number } | null;
  /** Largest first; empty before the detection. */
  faces: Face[];
  reports: FaceReport[];
  /** The picture in 16 bits, where the input has them and only colour is changed. */
  readonly deep: Uint16Array | null;
  /** ICC profile of the picture; null means sRGB. */
  readonly icc: Uint8Array | null;
  /** Tools that found nothing to work on. */
  readonly leftAlone: LeftAlone[];
}
