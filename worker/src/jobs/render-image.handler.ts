import { join } from 'node:path';
import { type JobPayload, OUTPUT_MAX_SIDE_UNCAPPED, type RenderedImage, renderImage } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import sharp from 'sharp';
import { encodeDisplay } from '../image/display.js';
import type { EncodedImage } from '../image/encode.js';
import { fileMetadataOf } from '../image/file-metadata.js';
import { decodePicture, type ProbedImage, probeImage } from '../image/formats/decode.js';
import type { Picture } from '../image/picture.js';
import { encodeFull, encodeRendition, fullViewOf, isFlat, viewOf } from '../image/rendition.js';
import { Metrics } from '../platform/metrics.js';
import { withScratch } from '../platform/scratch.js';
import type { Raster } from '../rasters/raster.js';
import { resize } from '../rasters/resize.js';
import { mapChanges } from '../tools/pipeline/compose.js';
import { fetchInput, storeDisplay, storeRendition } from './job-files.js';
import { HandlesJob, type JobContext, type JobHandler } from './job-handler.js';
import { encodeLayers } from './layers.js';
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
      // A master is ours, and may be larger than an upload.
      const maxBytes = recipe ? Number.POSITIVE_INFINITY : undefined;
      const probed = await steps.run('probe', () => probeImage(file.path, maxBytes));
      if (!isFlat(order) || isLarge(probed, payload)) return await this.encodeByFile(payload, probed, context, steps);
      const picture = await steps.run('decode', () =>
        decodePicture(probed, {
          // Decoding at a smaller size is faster.
          maxSide: order.maxSide ?? (payload.originalKey ? OUTPUT_MAX_SIDE_UNCAPPED : ANY_SIDE),
          keepDepth: order.contentType !== 'image/jpeg' && !order.watermark && !payload.originalKey,
          signal: context.signal,
        }),
      );
      if (payload.originalKey) {
        const encoded = await steps.run('encode', () => this.encodeChanges(payload, picture, context));
        const stored = await steps.run('store', () => storeRendition(this.store, payload, 'changes', encoded));
        return { ...stored, hasWatermark: false };
      }
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

  /** A clean or watermarked file of a master that memory should not hold, or a document with layers of any master. */
  private async encodeByFile(
    payload: Payload,
    probed: ProbedImage,
    { signal }: JobContext,
    steps: Steps<keyof typeof PROGRESS_AFTER>,
  ): Promise<RenderedImage> {
    const { rendition: order, recipe, keepLocation } = payload;
    const { width, height, isDeep } = probed;
    const { image, icc, exif } = await probed.open(signal);
    const { hasAlpha } = await image.metadata();
    const canvas = { image: image.toColourspace(isDeep ? 'rgb16' : 'srgb'), width, height, hasAlpha, samples: null };
    const metadata = fileMetadataOf({ icc, exif }, { recipe, keepLocation });
    return withScratch(async (folder) => {
      const encoded = await steps.run('encode', async () => {
        if (isFlat(order)) return encodeFull(canvas, order, metadata, join(folder, 'rendition'));
        const { maxSide } = order;
        const view =
          maxSide === null
            ? await fullViewOf(canvas, order)
            : await viewOf(await decodePicture(probed, { maxSide, keepDepth: false, signal }), order);
        return this.withOriginal(payload, (original) => encodeLayers({ view, original, metadata }, folder, signal));
      });
      const stored = await steps.run('store', () => storeRendition(this.store, payload, 'rendition', encoded));
      return { ...stored, hasWatermark: order.watermark };
    });
  }

  private async withOriginal<Result>(
    { originalKey }: Payload,
    work: (original: ProbedImage) => Promise<Result>,
  ): Promise<Result> {
    if (!originalKey) throw new Error('the order needs an original');
    const file = await fetchInput(this.store, originalKey);
    try {
      return await work(await probeImage(file.path));
    } finally {
      await file.release();
    }
  }

  /** The original is read as it was for the result: reduced or enlarged to its size. */
  private encodeChanges(payload: Payload, result: Picture, { signal }: JobContext): Promise<EncodedImage> {
    const { width, height } = result;
    return this.withOriginal(payload, async (probed) => {
      const original = await decodePicture(probed, { maxSide: Math.max(width, height), keepDepth: false, signal });
      const before = await resize(rasterOf(original), width, height, 'cubic');
      const { opacity } = await mapChanges(before, rasterOf(result), Math.max(width, height));
      const bytes = await sharp(opacity, { raw: { width, height, channels: 1 } })
        .toColourspace('b-w')
        .png()
        .toBuffer();
      return { bytes, contentType: 'image/png', width, height };
    });
  }
}

/** A master larger than a standard result, in its own size. */
const isLarge = ({ width, height }: ProbedImage, { recipe, rendition, originalKey }: Payload): boolean =>
  recipe !== null &&
  rendition.maxSide === null &&
  !rendition.use &&
  !originalKey &&
  Math.max(width, height) > OUTPUT_MAX_SIDE_UNCAPPED;

const rasterOf = ({ width, height, rgb }: Picture): Raster => ({ width, height, data: Uint8Array.from(rgb) });
