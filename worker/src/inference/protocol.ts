import type { AiPipeline } from '@clearframe/contract';
import type { SerialisedError } from '../networks/errors.js';
import type { Raster } from '../rasters/raster.js';
import type { PipelineResult } from '../tools/pipeline/pipeline.js';

/** Which networks, in which bytes, can have touched a picture. */
export interface ModelReference {
  id: string;
  version: string;
  sha256: string;
}

/** Messages from the process that holds the job to the one that does the work. */
export type ToChild =
  | {
      type: 'enhance';
      id: number;
      input: Raster;
      pipeline: AiPipeline;
      faceDetectorMaxInputRes?: number | undefined;
      deep?: Uint16Array | undefined;
      icc?: Uint8Array | undefined;
    }
  | { type: 'abort'; id: number };

/** Messages back. `ready` comes once, when every network is loaded and warm. */
export type FromChild =
  | { type: 'ready' }
  | { type: 'failed'; error: SerialisedError }
  | { type: 'progress'; id: number; fraction: number }
  | { type: 'done'; id: number; result: PipelineResult; models: ModelReference[] }
  | { type: 'error'; id: number; error: SerialisedError };
