import { type JobPayload, objectKeys, type RenderedImage, renderImage } from '@clearframe/contract';
import { ObjectMissingError, ObjectStore } from '@clearframe/runtime/storage';
import { Injectable, Module } from '@nestjs/common';
import { decodePicture } from '../../image/decode/decode.js';
import { probeImage } from '../../image/decode/probe.js';
import { encodeRendition } from '../../image/encode/rendition.js';
import { fileMetadataOf } from '../../image/metadata/file-metadata.js';
import { InvalidImageError } from '../../image/picture/errors.js';
import { Metrics } from '../../metrics/metrics.js';
import { HandlesJob, type JobContext, type JobHandler } from '../handler/job-handler.js';
import { Steps } from '../handler/steps.js';

type Payload = JobPayload<typeof renderImage>;

const PROGRESS_AFTER = { fetch: 0.05, probe: 0.1, decode: 0.4, encode: 0.95, store: 1 } as const;
/** Larger than any picture. */
const ANY_SIDE = 100_000;

@Injectable()
@HandlesJob(renderImage)
export class RenderImageHandler implements JobHandler<typeof renderImage> {
  constructor(
    private readonly store: ObjectStore,
    private readonly metrics: Metrics,
  ) {}

  async handle(payload: Payload, context: JobContext): Promise<RenderedImage> {
    const { subjectId: taskId, runId, sourceKey, rendition: order, recipe, keepLocation } = payload;
    const steps = new Steps(renderImage.name, PROGRESS_AFTER, context, this.metrics);
    const file = await steps.run('fetch', () => this.store.fetch(sourceKey).catch(missing));
    try {
      const probed = await steps.run('probe', () => probeImage(file.path));
      const picture = await steps.run('decode', () =>
        decodePicture(probed, {
          // Decoding at a smaller size is faster.
          maxSide: order.maxSide ?? ANY_SIDE,
          keepDepth: order.contentType !== 'image/jpeg' && !order.watermark,
          signal: context.signal,
        }),
      );
      const metadata = fileMetadataOf(picture.metadata, { recipe, keepLocation });
      const encoded = await steps.run('encode', () => encodeRendition(picture, order, metadata));
      const key = objectKeys.rendition(taskId, runId, 'rendition', encoded.contentType);
      await steps.run('store', () => this.store.put(key, encoded.bytes));
      const { bytes, contentType, width, height } = encoded;
      return { key, contentType, width, height, sizeBytes: bytes.length, hasWatermark: order.watermark };
    } finally {
      await file.release();
    }
  }
}

@Module({ providers: [RenderImageHandler] })
export class RenderImageModule {}

function missing(cause: unknown): never {
  throw cause instanceof ObjectMissingError ? new InvalidImageError('uploads.missing', { cause }) : cause;
}
