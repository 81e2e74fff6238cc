import { join } from 'node:path';
import {
  type AiPipeline,
  chosenPipeline,
  deliveredSpec,
  type EnhancedImage,
  enhanceImage,
  enlargedSizeOf,
  fullSizeOf,
  type JobPayload,
  keptVariantsOf,
  objectKeys,
} from '@clearframe/contract';
import { type LocalFile, ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import type { Decoder, ProbedPicture } from '../decoder/decoder.js';
import { Decoders } from '../decoder/decoders.js';
import type { GrayPicture } from '../image/mask.js';
import type { Picture } from '../image/picture.js';
import type { PixelFile } from '../image/pixel-file.js';
import { Metrics } from '../platform/metrics.js';
import { withScratch } from '../platform/scratch.js';
import type { Colors } from '../rasters/guided-change.js';
import { scaleBox } from '../rasters/raster.js';
import { resize } from '../rasters/resize.js';
import { keepsDepth } from '../tools/pipeline/pipeline.js';
import { measurePicture } from './analyze-image.handler.js';
import { type EncodedFiles, encodeFiles, type Output } from './encode-result.js';
import { type EnhancedPicture, enhancePicture } from './enhance-picture.js';
import { Enhancer } from './enhancer.js';
import { composeToFile } from './full-size.js';
import { fetchInput, fetchMask, storeDisplay, storeImage, storeRendition } from './job-files.js';
import { HandlesJob, type JobContext, type JobHandler } from './job-handler.js';
import type { LayeredOrder } from './layers.js';
import { readKept, storeSideFiles } from './side-files.js';
import { Steps } from './steps.js';

type Payload = JobPayload<typeof enhanceImage>;
type Step = keyof typeof PROGRESS_AFTER;

/** Progress after each step; networks take most of the time. */
const PROGRESS_AFTER = {
  fetch: 0.02,
  probe: 0.03,
  choose: 0.06,
  decode: 0.08,
  enhance: 0.92,
  compose: 0.95,
  encode: 0.97,
  store: 1,
} as const;
/** Of a result in full size: each of its 10 to 100 megapixels is composed and encoded. */
const FULL_PROGRESS_AFTER = { ...PROGRESS_AFTER, enhance: 0.5, compose: 0.7 } as const;

@Injectable()
@HandlesJob(enhanceImage)
export class EnhanceImageHandler implements JobHandler<typeof enhanceImage> {
  constructor(
    private readonly store: ObjectStore,
    private readonly decoders: Decoders,
    private readonly enhancer: Enhancer,
    private readonly metrics: Metrics,
  ) {}

  async handle(payload: Payload, context: JobContext): Promise<EnhancedImage> {
    const steps = new Steps(enhanceImage.name, PROGRESS_AFTER, context, this.metrics);
    const file = await steps.run('fetch', () => fetchInput(this.store, payload.inputKey));
    try {
      return await withScratch(async (folder) => {
        const work = await this.enhance(file, payload, folder, context, steps);
        const { full } = work;
        const output = { folder, signal: context.signal, onProgress: steps.within('encode') };
        const writeOriginal = this.writingOriginal(file, context.signal);
        if (!full) return this.finish(payload, { ...work, writeOriginal }, { ...output, full: null }, steps);
        const pixels = await steps.run('compose', () =>
          this.compose(work, full, folder, context.signal, steps.within('compose')),
        );
        return this.finish(payload, { ...inFullSize(work, full), writeOriginal }, { ...output, full: pixels }, steps);
      });
    } finally {
      await file.release();
    }
  }

  /** For a result with layers, of which the original is one. */
  private writingOriginal(file: LocalFile, signal: AbortSignal): LayeredOrder['writeOriginal'] {
    return (path, maxSide) =>
      this.decoders.use(signal, async (decoder) => {
        await decoder.probe(file.path);
        return (await decoder.write(path, { maxSide, hasAlpha: false })).pixels;
      });
  }

  private async finish(
    payload: Payload,
    {
      probed,
      enhanced,
      writeOriginal,
    }: Pick<EnhancedWork, 'probed' | 'enhanced'> & Pick<LayeredOrder, 'writeOriginal'>,
    output: Output,
    steps: Steps<Step>,
  ): Promise<EnhancedImage> {
    const { faces, recipe } = enhanced;
    const order = {
      ...payload,
      rendition: deliveredSpec(payload.rendition, recipe),
      display: deliveredSpec(payload.display, recipe),
    };
    // The large PNG is encoded on one core.
    const [encoded, sideFiles] = await steps.run('encode', () =>
      Promise.all([
        encodeFiles({ ...enhanced, writeOriginal }, order, output),
        storeSideFiles(this.store, payload, enhanced),
      ]),
    );
    const stored = await steps.run('store', () => this.storeResult(order, encoded));

    const { contentType, width, height, sizeBytes } = probed;
    const input = { key: payload.inputKey, contentType, width, height, sizeBytes };
    return { input, ...stored, ...sideFiles, faces, recipe, timings: steps.timings };
  }

  private compose(
    { enhanced: { picture, unmapped } }: EnhancedWork,
    { original, size, before, mask }: FullSize,
    folder: string,
    signal: AbortSignal,
    onProgress: (part: number) => void,
  ): Promise<PixelFile> {
    const after = { width: picture.width, height: picture.height, data: unmapped?.data ?? picture.rgb };
    return composeToFile({ original, size, before, after, maps: unmapped?.maps, mask, signal, onProgress }, folder);
  }

  /** Unless they are composed later, the decoded pixels are released on return: encoding needs their memory. */
  private async enhance(
    file: LocalFile,
    payload: Payload,
    folder: string,
    context: JobContext,
    steps: Steps<Step>,
  ): Promise<EnhancedWork> {
    const { signal } = context;
    const { probed, aiPipeline, decoded, mask, full } = await this.decoders.use(signal, (decoder) =>
      this.decode(decoder, file, payload, folder, context, steps),
    );
    const variants = keptVariantsOf(aiPipeline, probed, payload.maxSide);
    if (full) steps.progressAfter = FULL_PROGRESS_AFTER;
    const onProgress = steps.within('enhance');
    const enhanced = await steps.run('enhance', async () => {
      const parts = await readKept(this.store, payload.kept, variants);
      const restored = full ? withFractions(aiPipeline, full.size) : aiPipeline;
      const order = { ...payload, aiPipeline: restored, mask, isReduced: full !== null };
      return enhancePicture(this.enhancer, decoded, order, { signal, onProgress, keep: { variants, parts } });
    });
    steps.addParts('enhance', enhanced.timings);
    if (!full) return { probed, enhanced, full };
    const recipe = { ...enhanced.recipe, aiPipeline };
    const working = enlargedSizeOf(decoded, aiPipeline, payload.maxSide);
    const { width, height, rgb } = decoded;
    const isEnlarged = working.width > width || working.height > height;
    const before = isEnlarged
      ? await resize({ width, height, data: Uint8Array.from(rgb) }, working.width, working.height, 'cubic')
      : { width, height, data: rgb };
    return { probed, enhanced: { ...enhanced, recipe }, full: { ...full, before } };
  }

  /** All that is read of the visitor's files, so that their decoder can end. */
  private async decode(
    decoder: Decoder,
    file: LocalFile,
    payload: Payload,
    folder: string,
    context: JobContext,
    steps: Steps<Step>,
  ): Promise<Decoded> {
    const { maxSide } = payload;
    const probed = await steps.run('probe', () => decoder.probe(file.path));
    const maskFile = payload.mask && (await fetchMask(this.store, payload.mask, probed));
    try {
      const measured = payload.aiPipeline.auto
        ? await steps.run('choose', async () => {
            const picture = await decoder.decode({ maxSide, keepDepth: false });
            const measures = await measurePicture(this.enhancer, picture, payload, context);
            return { picture, aiPipeline: chosenPipeline(payload.aiPipeline, measures) };
          })
        : null;
      const aiPipeline = measured?.aiPipeline ?? payload.aiPipeline;
      return await steps.run('decode', async () => {
        // Networks need 8 bits.
        const keepDepth = probed.isDeep && keepsDepth(aiPipeline);
        const decoded = measured && !keepDepth ? measured.picture : await decoder.decode({ maxSide, keepDepth });
        const working = enlargedSizeOf(decoded, aiPipeline, maxSide);
        const size = largerSizeOf(probed, aiPipeline, working);
        const mask = maskFile &&
          payload.mask && { sha256: payload.mask.sha256, ...(await decoder.mask(maskFile.path, working)) };
        const full = size && {
          size,
          original: await this.writeFull(decoder, join(folder, 'decoded'), size, decoded),
          mask: maskFile && (await decoder.mask(maskFile.path, null)),
        };
        return { probed, aiPipeline, decoded, mask, full };
      });
    } finally {
      await maskFile?.release();
    }
  }

  private async writeFull(
    decoder: Decoder,
    path: string,
    { width, height }: Size,
    { alpha }: Picture,
  ): Promise<PixelFile> {
    const { pixels } = await decoder.write(path, { maxSide: Math.max(width, height), hasAlpha: alpha !== null });
    return pixels;
  }

  private async storeResult(
    payload: Payload,
    encoded: EncodedFiles,
  ): Promise<Pick<EnhancedImage, 'master' | 'rendition' | 'display'>> {
    const masterKey = objectKeys.master(payload.subjectId, payload.runId);
    const [master, rendition, display] = await Promise.all([
      storeImage(this.store, masterKey, encoded.master),
      storeRendition(this.store, payload, 'rendition', encoded.rendition),
      storeDisplay(this.store, payload, encoded, payload.display),
    ]);
    return { master, rendition: { ...rendition, hasWatermark: payload.rendition.watermark }, display };
  }
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A result larger than the picture that is restored. */
interface FullSize {
  readonly size: Size;
  readonly original: PixelFile;
  /** The picture before its restoration, in the size of that. */
  readonly before: Colors;
  /** In the original's size. */
  readonly mask: GrayPicture | null;
}

interface Decoded {
  readonly probed: ProbedPicture;
  /** As it was asked or chosen. */
  readonly aiPipeline: AiPipeline;
  readonly decoded: Picture;
  /** In the size at which the picture is restored. */
  readonly mask: { readonly data: Uint8Array; readonly sha256: string } | null;
  readonly full: Omit<FullSize, 'before'> | null;
}

interface EnhancedWork {
  readonly probed: ProbedPicture;
  readonly enhanced: EnhancedPicture;
  readonly full: FullSize | null;
}

function largerSizeOf(original: Size, aiPipeline: AiPipeline, working: Size): Size | null {
  const size = aiPipeline.outputSize === 'original' ? fullSizeOf(original, aiPipeline) : working;
  return size.width > working.width || size.height > working.height ? size : null;
}

/** Places of faces are in pixels of the result, which is larger than the picture in which they are looked for. */
function withFractions(aiPipeline: AiPipeline, { width, height }: Size): AiPipeline {
  const { faceEnhance } = aiPipeline;
  if (!faceEnhance?.faces) return aiPipeline;
  const faces = faceEnhance.faces.map((face) => {
    if (!('box' in face) || (face.box.width <= 1 && face.box.height <= 1)) return face;
    const { box } = face;
    return {
      ...face,
      box: { x: box.x / width, y: box.y / height, width: box.width / width, height: box.height / height },
    };
  });
  return { ...aiPipeline, faceEnhance: { ...faceEnhance, faces } };
}

/** What is told of a result in full size. Its smaller files show the picture as it was restored. */
function inFullSize({ probed, enhanced }: EnhancedWork, { size }: FullSize): Pick<EnhancedWork, 'probed' | 'enhanced'> {
  const { isUntouched, enlargedBy: _, ...recipe } = enhanced.recipe;
  const factor = size.width / probed.width;
  const change =
    factor > 1 ? { enlargedBy: Math.round(1000 * factor) / 1000 } : isUntouched ? ({ isUntouched } as const) : {};
  const scale = size.width / enhanced.picture.width;
  const faces = enhanced.faces.map((face) => ({ ...face, box: scaleBox(face.box, scale) }));
  return { probed, enhanced: { ...enhanced, faces, recipe: { ...recipe, ...change } } };
}
