import type { Recipe } from '@clearframe/contract';
import type { DetectedFace } from '../../networks/face-detector.js';
import type { Sessions } from '../../networks/sessions.js';
import type { Box, Raster } from '../../rasters/raster.js';
import type { Assessed } from '../signal/reclaim.js';

/** What was done about one face. */
export interface FaceReport {
  /** In pixels of the output, inside the picture. */
  box: Box;
  /** The detector's confidence, 0..1. */
  confidence: number;
  /** See `identitySimilarity`; null where it could not be told or the face was left alone. */
  identitySimilarity: number | null;
  /** How much of the restored face is in the result, 0 (left alone) to 1. */
  blend: number;
}

/** A face to work on. */
export interface Face extends DetectedFace {
  /** See `measureDetail`; of the face and what is close to it. */
  softness: number;
}

export type LeftAlone = NonNullable<Recipe['leftAlone']>[number];

/** What the steps of one picture share. Rasters have the same size from first to last. */
export interface Work {
  readonly sessions: Sessions;
  readonly signal: AbortSignal;
  /** The picture as it came; nobody writes to it. */
  readonly original: Raster;
  /** The picture so far; steps write to it. */
  readonly current: Raster;
  /** The whole picture at its real resolution and what is wrong with it; null until it was measured. */
  assessed: Assessed | null;
  /** The original in grey without noise, where noise is so strong that it would pass for detail. */
  noiseless: Raster | null;
  /** What the small network made of the whole original, before anything limited it; null until it has run. */
  cleaned: { raster: Raster; reduction: number } | null;
  /** Biggest first; empty until they were looked for. */
  faces: Face[];
  reports: FaceReport[];
  /** The picture in 16 bits, where it came so and no network is asked for; only colour is changed in it. */
  readonly deep: Uint16Array | null;
  /** The profile that the picture's codes are meant in; null means sRGB. */
  readonly icc: Uint8Array | null;
  /** Tools that found nothing in the picture to work on. */
  readonly leftAlone: LeftAlone[];
}
