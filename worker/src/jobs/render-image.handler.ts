import { join } from 'node:path';
import {
  type JobPayload,
  OUTPUT_MAX_SIDE_UNCAPPED,
  objectKeys,
  type RenderedImage,
  renderImage,
} from '@clearframe/contract';
import { type LocalFile, ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import sharp from 'sharp';
import type { Decoder, ProbedPicture, WrittenPicture } from '../decoder/decoder.js';
import { Decoders } from '../decoder/decoders.js';
import { type EncodedDisplay, encodeDisplay } from '../image/display.js';
import { canvasOfFile, type EncodedFile, type EncodedImage, type StripContext } from '../image/encode.js';
import { encodeTiles } from '../image/encode-tiles.js';
import { fileMetadataOf } from '../image/file-metadata.js';
import type { Picture } from '../image/picture.js';
import { encodeFull, encodeRendition, fullViewOf, isFlat, type RenditionSpec, viewOf } from '../image/rendition.js';
import { Metrics } from '../platform/metrics.js';
import { withScratch } from '../platform/scratch.js';
import type { Raster } from '../rasters/raster.js';
import { resize } from '../rasters/resize.js';
import { mapChanges } from '../tools/pipeline/compose.js';
import { fetchInput, storeDisplay, storeImage, storeRendition } from './job-files.js';
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
    private readonly decoders: Decoders,
    private readonly metrics: Metrics,
  ) {}

  async handle(payload: Payload, context: JobContext): Promise<RenderedImage> {
    const steps = new Steps(renderImage.name, PROGRESS_AFTER, context, this.metrics);
    const file = await steps.run('fetch', () => fetchInput(this.store, payload.sourceKey));
    return withScratch(async (folder) => {
      const source = await this.read(file, payload, folder, context, steps).finally(() => file.release());
      const output = { folder, signal: context.signal, onProgress: steps.within('encode') };
      const encoded = await steps.run('encode', () => this.encode(payload, source, output));
      return steps.run('store', () => this.storeRendered(payload, encoded));
    });
  }

  private read(
    file: LocalFile,
    payload: Payload,
    folder: string,
    { signal }: JobContext,
    steps: Steps<keyof typeof PROGRESS_AFTER>,
  ): Promise<Source> {
    const { rendition: order, recipe, originalKey } = payload;
    const isExact = isFlat(order) && order.contentType !== 'image/jpeg' && !order.watermark && !originalKey;
    return this.decoders.use(signal, async (decoder) => {
      // A master is ours, and may be larger than an upload.
      const maxBytes = recipe ? Number.MAX_SAFE_INTEGER : undefined;
      const probed = await steps.run('probe', () => decoder.probe(file.path, maxBytes));
      return steps.run('decode', async (): Promise<Source> => {
        if (needsFile(probed, payload)) return decoder.write(join(folder, 'source'), { maxSide: ANY_SIDE });
        // Decoding at a smaller size is faster.
        const maxSide = order.maxSide ?? (originalKey ? OUTPUT_MAX_SIDE_UNCAPPED : ANY_SIDE);
        return decoder.decode({ maxSide, keepDepth: isExact });
      });
    });
  }

  private async encode(payload: Payload, source: Source, output: Output): Promise<Encoded> {
    const { rendition, recipe, keepLocation, faces, originalKey } = payload;
    const order: RenditionSpec = rendition;
    const { folder, signal } = output;
    const metadata = fileMetadataOf(source.metadata, { recipe, keepLocation });
    if ('pixels' in source) {
      if (rendition.use === 'tiles') {
        const view = await fullViewOf(source.pixels, rendition, folder);
        return encodeTiles(canvasOfFile(view), metadata.icc, folder, signal);
      }
      if (isFlat(order)) return encodeFull(source.pixels, order, metadata, folder, output);
    } else if (isFlat(order)) {
      if (originalKey) return this.encodeChanges(originalKey, source, signal);
      if (rendition.use === 'display') return encodeDisplay(source, rendition, faces);
      return encodeRendition(source, order, metadata);
    }
    const view = await ('pixels' in source ? fullViewOf(source.pixels, order, folder) : viewOf(source, order));
    const { contentType } = order;
    const writeOriginal = (path: string, maxSide: number) =>
      this.withOriginal(originalKey, signal, async (decoder) => {
        const { pixels } = await decoder.write(path, { maxSide, hasAlpha: false });
        return pixels;
      });
    return encodeLayers({ contentType, view, writeOriginal, metadata }, folder, signal);
  }

  private async storeRendered(payload: Payload, encoded: Encoded): Promise<RenderedImage> {
    const { rendition, originalKey, subjectId, runId } = payload;
    if ('display' in encoded) return storeDisplay(this.store, payload, encoded, rendition);
    const hasWatermark = rendition.watermark;
    if (rendition.use === 'tiles') {
      return { ...(await storeImage(this.store, objectKeys.tiles(subjectId, runId), encoded)), hasWatermark };
    }
    if (originalKey && isFlat(rendition)) {
      return { ...(await storeRendition(this.store, payload, 'changes', encoded)), hasWatermark: false };
    }
    return { ...(await storeRendition(this.store, payload, 'rendition', encoded)), hasWatermark };
  }

  private async withOriginal<Result>(
    key: string | undefined,
    signal: AbortSignal,
    work: (decoder: Decoder) => Promise<Result>,
  ): Promise<Result> {
    if (!key) throw new Error('the order needs an original');
    const file = await fetchInput(this.store, key);
    try {
      return await this.decoders.use(signal, async (decoder) => {
        await decoder.probe(file.path);
        return work(decoder);
      });
    } finally {
      await file.release();
    }
  }

  /** The original is read as it was for the result: reduced or enlarged to its size. */
  private async encodeChanges(originalKey: string, result: Picture, signal: AbortSignal): Promise<EncodedImage> {
    const { width, height } = result;
    const maxSide = Math.max(width, height);
    const original = await this.withOriginal(originalKey, signal, (decoder) =>
      decoder.decode({ maxSide, keepDepth: false }),
    );
    const before = await resize(rasterOf(original), width, height, 'cubic');
    const { opacity } = await mapChanges(before, rasterOf(result), maxSide);
    const bytes = await sharp(opacity, { raw: { width, height, channels: 1 } })
      .toColourspace('b-w')
      .png()
      .toBuffer();
    return { bytes, contentType: 'image/png', width, height };
  }
}

type Source = Picture | WrittenPicture;
type Encoded = EncodedDisplay | EncodedImage | EncodedFile;

interface Output extends StripContext {
  readonly folder: string;
}

/**
 * Whether the source passes through a file: memory should not hold a master larger than a standard result in its own size, nor what
 * a document with layers shows; tiles are cut of any rows.
 */
const needsFile = ({ width, height }: ProbedPicture, { recipe, rendition, originalKey }: Payload): boolean => {
  const { use, maxSide } = rendition;
  if (use === 'tiles') return true;
  if (!isFlat(rendition)) return maxSide === null;
  const isLarge = Math.max(width, height) > OUTPUT_MAX_SIDE_UNCAPPED;
  return isLarge && recipe !== null && maxSide === null && !use && !originalKey;
};

const rasterOf = ({ width, height, rgb }: Picture): Raster => ({ width, height, data: Uint8Array.from(rgb) });
