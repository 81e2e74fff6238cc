import type { AiPipeline, PictureMeasures } from '@clearframe/contract/pipeline';
import type { Raster } from '../rasters/raster.js';
import type { AnalysisOptions } from '../tools/pipeline/analyze-picture.js';
import type { PipelineOptions, PipelineResult } from '../tools/pipeline/pipeline.js';
import type { RunningStep } from '../tools/pipeline/progress.js';
import type { RenderedLook } from '../tools/pipeline/render-looks.js';
import type { SerializedError } from './errors.js';

export type EnhanceRequest = { input: Raster; pipeline: AiPipeline } & Omit<PipelineOptions, 'signal' | 'onProgress'>;

export interface LooksRequest {
  /** See `base` of `PipelineResult`. */
  input: Raster;
  pipeline: AiPipeline;
  icc?: Uint8Array | undefined;
}

export type AnalysisRequest = { input: Raster } & Omit<AnalysisOptions, 'signal'>;

export type ToChild =
  | ({ type: 'enhance'; id: number } & EnhanceRequest)
  | ({ type: 'looks'; id: number } & LooksRequest)
  | ({ type: 'analyze'; id: number } & AnalysisRequest)
  | { type: 'abort'; id: number };

/** Messages of the inference process. `loaded` is sent for each network, `ready` once, when all are warm. */
export type FromChild =
  | { type: 'loaded' }
  | { type: 'ready' }
  | { type: 'failed'; error: SerializedError }
  | { type: 'progress'; id: number; fraction: number; running?: RunningStep | undefined }
  | { type: 'enhanced'; id: number; result: PipelineResult }
  | { type: 'looks'; id: number; looks: RenderedLook[] }
  | { type: 'analyzed'; id: number; measures: PictureMeasures }
  | { type: 'error'; id: number; error: SerializedError };
