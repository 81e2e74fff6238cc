import { enhanceImage, type FaceReport, type JobPayload, RECIPE_VERSION, type Recipe } from '@clearframe/contract';
import type { Picture } from '../../image/picture.js';
import type { StepTiming } from '../steps.js';
import type { Enhancer } from './enhancer.js';

type Order = Pick<JobPayload<typeof enhanceImage>, 'aiPipeline' | 'faceDetectorMaxInput'>;

export interface EnhancedPicture {
  readonly picture: Picture;
  readonly faces: FaceReport[];
  readonly recipe: Recipe;
  readonly timings: readonly StepTiming[];
}

/** Sends the colours of a picture through the networks and puts its transparency back; an empty pipeline does nothing. */
export async function enhancePicture(
  enhancer: Enhancer,
  picture: Picture,
  { aiPipeline, faceDetectorMaxInput }: Order,
  { signal, onProgress }: { signal: AbortSignal; onProgress(fraction: number): void },
): Promise<EnhancedPicture> {
  const { rgb, width, height } = picture;
  if (Object.keys(aiPipeline).length === 0) {
    return { picture, faces: [], recipe: { version: RECIPE_VERSION, aiPipeline, models: [] }, timings: [] };
  }
  if (rgb instanceof Uint16Array) throw new Error('the networks take 8 bits a sample');
  const { raster, faces, models, timings } = await enhancer.enhance({ width, height, data: rgb }, aiPipeline, {
    signal,
    onProgress,
    faceDetectorMaxInputRes: faceDetectorMaxInput,
    // A child that hangs must not outlive the attempt, or the next picture would wait for it.
    timeoutMs: enhanceImage.timeoutMs,
  });
  return {
    picture: { ...picture, rgb: raster.data },
    faces: faces.map(({ box, confidence, identitySimilarity }) => ({ box, confidence, identitySimilarity })),
    recipe: {
      version: RECIPE_VERSION,
      aiPipeline,
      models: models.map(({ id, version, sha256 }) => ({ id, version, sha256 })),
    },
    timings,
  };
}
