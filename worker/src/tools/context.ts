import type { DetectedFace } from '../ai/face-detector.js';
import type { Box, Raster } from '../ai/raster.js';
import type { Sessions } from '../ai/sessions.js';

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

/** What the steps of one picture share. Rasters have the same size from first to last. */
export interface Work {
  readonly sessions: Sessions;
  readonly signal: AbortSignal;
  /** The picture as it came; nobody writes to it. */
  readonly original: Raster;
  /** The picture so far; steps write to it. */
  readonly current: Raster;
  /** How much detail the picture really has, in pixels per detail-bearing pixel. */
  softness: number;
  /** What the small network made of the whole original, before anything limited it; null until it has run. */
  cleaned: { raster: Raster; reduction: number } | null;
  faces: DetectedFace[];
  reports: FaceReport[];
}
