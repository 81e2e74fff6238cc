import { enhanceImage, type FaceReport, type JobPayload, RECIPE_VERSION, type Recipe } from '@clearframe/contract';
import type { Picture } from '../../image/picture/picture.js';
import { keepsDepth } from '../../tools/pipeline/pipeline.js';
import type { StepTiming } from '../handler/steps.js';
import type { Enhancer } from './enhancer.js';

type Order = Pick<JobPayload<typeof enhanceImage>, 'aiPipeline' | 'faceDetectorMaxInput'>;

export interface EnhancedPicture {
  readonly picture: Picture;
  readonly faces: FaceReport[];
  readonly recipe: Recipe;
  readonly timings: readonly StepTiming[];
}

/** Keeps transparency. An empty pipeline changes nothing. */
export async function enhancePicture(
  enhancer: Pick<Enhancer, 'enhance'>,
  picture: Picture,
  { aiPipeline, faceDetectorMaxInput }: Order,
  { signal, onProgress }: { signal: AbortSignal; onProgress(fraction: number): void },
): Promise<EnhancedPicture> {
  const { rgb, width, height } = picture;
  if (Object.keys(aiPipeline).length === 0) {
    return { picture, faces: [], recipe: { version: RECIPE_VERSION, aiPipeline, models: [] }, timings: [] };
  }
  const is16Bit = rgb instanceof Uint16Array;
  if (is16Bit && !keepsDepth(aiPipeline)) throw new Error('the pipeline needs 8 bits a sample');
  const { raster, deep, faces, models, timings, leftAlone } = await enhancer.enhance(
    { width, height, data: is16Bit ? Uint8Array.from(rgb, (value) => Math.round(value / 257)) : rgb },
    aiPipeline,
    {
      signal,
      onProgress,
      faceDetectorMaxInputRes: faceDetectorMaxInput,
      deep: is16Bit ? rgb : undefined,
      icc: picture.metadata.icc ?? undefined,
      // A hung child must not block the next picture.
      timeoutMs: enhanceImage.timeoutMs,
    },
  );
  return {
    picture: { ...picture, rgb: deep ?? raster.data },
    faces: faces.map(({ box, confidence, identitySimilarity, blend, heldBack }) => ({
      box,
      confidence,
      restored: blend > 0,
      identitySimilarity,
      ...(heldBack && { heldBack }),
    })),
    recipe: {
      version: RECIPE_VERSION,
      aiPipeline,
      models: models.map(({ id, version, sha256 }) => ({ id, version, sha256 })),
      ...(leftAlone.length > 0 && { leftAlone }),
    },
    timings,
  };
}
