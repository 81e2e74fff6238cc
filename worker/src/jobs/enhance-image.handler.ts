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
import type { Canvas } from '../image/encode.js';
import { decodePicture, decodeToFile, type ProbedImage, probeImage } from '../image/formats/decode.js';
import { decodeMask } from '../image/mask.js';
import { Metrics } from '../platform/metrics.js';
import { withScratch } from '../platform/scratch.js';
import type { Colors } from '../rasters/guided-change.js';
import { scaleBox } from '../rasters/raster.js';
import { resize } from '../rasters/resize.js';
import { keepsDepth } from '../tools/pipeline/pipeline.js';
import type { ReportProgress } from '../tools/pipeline/progress.js';
import { measureFile } from './analyze-image.handler.js';
import { type EncodedFiles, encodeFiles, type Output } from './encode-result.js';
import { type EnhancedPicture, enhancePicture } from './enhance-picture.js';
import { Enhancer } from './enhancer.js';
import { composeToFile } from './full-size.js';
import { fetchInput, fetchMask, type MaskFile, storeDisplay, storeImage, storeRendition } from './job-files.js';
import { HandlesJob, type JobContext, type JobHandler } from './job-handler.js';
import { readKept, storeSideFiles } from './side-files.js';
import { Steps } from './steps.js';

type Payload = JobPayload<typeof enhanceImage>;

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

@Injectable()
@HandlesJob(enhanceImage)
export class EnhanceImageHandler implements JobHandler<typeof enhanceImage> {
  constructor(
    private readonly store: ObjectStore,
    private readonly enhancer: Enhancer,
    private readonly metrics: Metrics,
  ) {}

  async handle(payload: Payload, context: JobContext): Promise<EnhancedImage> {
    const steps = new Steps(enhanceImage.name, PROGRESS_AFTER, context, this.metrics);
    const file = await steps.run('fetch', () => fetchInput(this.store, payload.inputKey));
    try {
      const work = await this.enhance(file, payload, context, steps);
      const { full } = work;
      return await withScratch(async (folder) => {
        const output = { folder, signal: context.signal };
        if (!full) return this.finish(payload, work, { ...output, open: null }, steps);
        const open = await steps.run('compose', () => this.compose(work, full, folder, context));
        return this.finish(payload, inFullSize(work, full), { ...output, open }, steps);
      });
    } finally {
      await file.release();
    }
  }

  private async finish(
    payload: Payload,
    { probed, enhanced }: Pick<EnhancedWork, 'probed' | 'enhanced'>,
    output: Output,
    steps: Steps<keyof typeof PROGRESS_AFTER>,
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
        encodeFiles({ ...enhanced, original: probed }, order, output),
        storeSideFiles(this.store, payload, enhanced),
      ]),
    );
    const stored = await steps.run('store', () => this.storeResult(order, encoded));

    const { contentType, width, height, sizeBytes } = probed;
    const input = { key: payload.inputKey, contentType, width, height, sizeBytes };
    return { input, ...stored, ...sideFiles, faces, recipe, timings: steps.timings };
  }

  private async compose(
    { probed, enhanced: { picture } }: EnhancedWork,
    { size, before, mask: maskFile }: FullSize,
    folder: string,
    { signal, progress }: JobContext,
  ): Promise<() => Canvas> {
    const maxSide = Math.max(size.width, size.height);
    const original = await decodeToFile(probed, folder, { maxSide, hasAlpha: picture.alpha !== null, signal });
    const after = { width: picture.width, height: picture.height, data: picture.rgb };
    const [start, end] = [PROGRESS_AFTER.enhance, PROGRESS_AFTER.compose];
    const onProgress = (part: number) => progress(start + part * (end - start));
    const mask = maskFile && (await decodeMask(maskFile.bytes));
    return composeToFile({ original, size, before, after, mask, signal, onProgress }, folder);
  }

  /** Unless they are composed later, the decoded pixels are released on return: encoding needs their memory. */
  private async enhance(
    file: LocalFile,
    payload: Payload,
    context: JobContext,
    steps: Steps<keyof typeof PROGRESS_AFTER>,
  ): Promise<EnhancedWork> {
    const { signal } = context;
    const place = (part: number) => PROGRESS_AFTER.decode + part * (PROGRESS_AFTER.enhance - PROGRESS_AFTER.decode);
    const onProgress: ReportProgress = (part, running) =>
      context.progress(place(part), running && { ...running, until: place(running.until) });
    const probed = await steps.run('probe', () => probeImage(file.path));
    const mask = payload.mask && (await fetchMask(this.store, payload.mask, probed));
    const aiPipeline = payload.aiPipeline.auto
      ? await steps.run('choose', async () =>
          chosenPipeline(payload.aiPipeline, await measureFile(this.enhancer, probed, payload, context)),
        )
      : payload.aiPipeline;
    // Networks need 8 bits.
    const keepDepth = keepsDepth(aiPipeline);
    const decoded = await steps.run('decode', () =>
      decodePicture(probed, { maxSide: payload.maxSide, keepDepth, signal }),
    );
    const variants = keptVariantsOf(aiPipeline, probed, payload.maxSide);
    const working = enlargedSizeOf(decoded, aiPipeline, payload.maxSide);
    const size = largerSizeOf(probed, aiPipeline, working);
    const enhanced = await steps.run('enhance', async () => {
      const parts = await readKept(this.store, payload.kept, variants);
      const restored = size ? withFractions(aiPipeline, size) : aiPipeline;
      const order = { ...payload, aiPipeline: restored, mask };
      return enhancePicture(this.enhancer, decoded, order, { signal, onProgress, keep: { variants, parts } });
    });
    steps.addParts('enhance', enhanced.timings);
    if (!size) return { probed, enhanced, full: null };
    const recipe = { ...enhanced.recipe, aiPipeline };
    const { width, height, rgb } = decoded;
    const isEnlarged = working.width > width || working.height > height;
    const before = isEnlarged
      ? await resize({ width, height, data: Uint8Array.from(rgb) }, working.width, working.height, 'cubic')
      : { width, height, data: rgb };
    return { probed, enhanced: { ...enhanced, recipe }, full: { size, before, mask } };
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
  /** The picture before its restoration, in the size of that. */
  readonly before: Colors;
  readonly mask: MaskFile | null;
}

interface EnhancedWork {
  readonly probed: ProbedImage;
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
