import { type JobPayload, type RenderedImage, renderImage } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { encodeDisplay } from '../image/display.js';
import { fileMetadataOf } from '../image/file-metadata.js';
import { decodePicture, probeImage } from '../image/formats/decode.js';
import { encodeRendition } from '../image/rendition.js';
import { Metrics } from '../platform/metrics.js';
import { fetchInput, storeDisplay, storeRendition } from './job-files.js';
import { HandlesJob, type JobContext, type JobHandler } from './job-handler.js';
import { Steps } from './steps.js';

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
    const { sourceKey, rendition: order, recipe, keepLocation, faces } = payload;
    const steps = new Steps(renderImage.name, PROGRESS_AFTER, context, this.metrics);
    const file = await steps.run('fetch', () => fetchInput(this.store, sourceKey));
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
      if (order.use === 'display') {
        const encoded = await steps.run('encode', () => encodeDisplay(picture, order, faces));
        return await steps.run('store', () => storeDisplay(this.store, payload, encoded, order));
      }
      const metadata = fileMetadataOf(picture.metadata, { recipe, keepLocation });
      const encoded = await steps.run('encode', () => encodeRendition(picture, order, metadata));
      const stored = await steps.run('store', () => storeRendition(this.store, payload, 'rendition', encoded));
      return { ...stored, hasWatermark: order.watermark };
    } finally {
      await file.release();
    }
  }
}
