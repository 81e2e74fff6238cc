import {
  type AiPipeline,
  analyzeImage,
  enlargedSizeOf,
  type JobPayload,
  type JobResult,
  type PictureMeasures,
} from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { Decoders } from '../decoder/decoders.js';
import type { Picture } from '../image/picture.js';
import { Metrics } from '../platform/metrics.js';
import { Enhancer } from './enhancer.js';
import { fetchInput } from './job-files.js';
import { HandlesJob, type JobContext, type JobHandler } from './job-handler.js';
import { Steps } from './steps.js';

type Payload = JobPayload<typeof analyzeImage>;

const PROGRESS_AFTER = { fetch: 0.05, probe: 0.1, analyze: 1 } as const;

@Injectable()
@HandlesJob(analyzeImage)
export class AnalyzeImageHandler implements JobHandler<typeof analyzeImage> {
  constructor(
    private readonly store: ObjectStore,
    private readonly decoders: Decoders,
    private readonly enhancer: Enhancer,
    private readonly metrics: Metrics,
  ) {}

  async handle(payload: Payload, context: JobContext): Promise<JobResult<typeof analyzeImage>> {
    const steps = new Steps(analyzeImage.name, PROGRESS_AFTER, context, this.metrics);
    const file = await steps.run('fetch', () => fetchInput(this.store, payload.inputKey));
    try {
      const { probed, picture } = await this.decoders.use(context.signal, async (decoder) => ({
        probed: await steps.run('probe', () => decoder.probe(file.path)),
        picture: await decoder.decode({ maxSide: payload.maxSide, keepDepth: false }),
      }));
      const measures = await steps.run('analyze', () =>
        measurePicture(this.enhancer, picture, { ...payload, seeksDamage: true }, context),
      );
      const { contentType, width, height, sizeBytes } = probed;
      return { input: { contentType, width, height, sizeBytes }, measures };
    } finally {
      await file.release();
    }
  }
}

interface MeasureOrder {
  readonly aiPipeline: AiPipeline;
  readonly maxSide: number;
  readonly faceDetectorMaxInput: number;
  readonly seeksDamage?: boolean;
}

/**
 * Measures a picture at the size at which a pipeline restores it.
 * @param picture of 8 bits a sample, at most as large as `maxSide`
 */
export async function measurePicture(
  enhancer: Pick<Enhancer, 'analyze'>,
  { width, height, rgb, metadata }: Picture,
  { aiPipeline, maxSide, faceDetectorMaxInput, seeksDamage }: MeasureOrder,
  { signal }: Pick<JobContext, 'signal'>,
): Promise<PictureMeasures> {
  return enhancer.analyze(
    {
      input: { width, height, data: Uint8Array.from(rgb) },
      size: enlargedSizeOf({ width, height }, aiPipeline, maxSide),
      faceDetectorMaxInputRes: faceDetectorMaxInput,
      seeksDamage,
      icc: metadata.icc ?? undefined,
    },
    { signal, timeoutMs: analyzeImage.timeoutMs },
  );
}
