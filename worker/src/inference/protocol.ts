import type { AiPipeline } from '@clearframe/contract';
import type { Raster } from '../rasters/raster.js';
import type { PipelineResult } from '../tools/pipeline/pipeline.js';
import type { SerialisedError } from './errors.js';

/** May have changed the picture. */
export interface ModelReference {
  id: string;
  version: string;
  sha256: string;
}

/** To the inference process. */
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

/** From the inference process. `ready` is sent once, when all networks are warm. */
export type FromChild =
  | { type: 'ready' }
  | { type: 'failed'; error: SerialisedError }
  | { type: 'progress'; id: number; fraction: number }
  | { type: 'done'; id: number; result: PipelineResult; models: ModelReference[] }
  | { type: 'error'; id: number; error: SerialisedError };
