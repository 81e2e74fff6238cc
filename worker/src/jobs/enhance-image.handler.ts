import {
  chosenPipeline,
  DEFAULT_JPEG_QUALITY,
  deliveredSpec,
  type EnhancedImage,
  enhanceImage,
  type FaceReport,
  type JobPayload,
  keptVariantsOf,
  objectKeys,
  type Recipe,
} from '@clearframe/contract';
import { type LocalFile, ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { type EncodedDisplay, encodeDisplay } from '../image/display.js';
import { canvasOf, type EncodedImage, encodeImage } from '../image/encode.js';
import { fileMetadataOf } from '../image/file-metadata.js';
import { decodePicture, type ProbedImage, probeImage } from '../image/formats/decode.js';
import type { Picture } from '../image/picture.js';
import { encodeRendition } from '../image/rendition.js';
import type { Region } from '../image/watermark.js';
import { Metrics } from '../platform/metrics.js';
import { keepsDepth } from '../tools/pipeline/pipeline.js';
import type { ReportProgress } from '../tools/pipeline/progress.js';
import { measureFile } from './analyze-image.handler.js';
import { type EnhancedPicture, enhancePicture } from './enhance-picture.js';
import { Enhancer } from './enhancer.js';
import { fetchInput, storeDisplay, storeImage, storeRendition } from './job-files.js';
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
      const { probed, enhanced } = await this.enhance(file, payload, context, steps);
      const { faces, recipe } = enhanced;
      const order = {
        ...payload,
        rendition: deliveredSpec(payload.rendition, recipe),
        display: deliveredSpec(payload.display, recipe),
      };
      // The large PNG is encoded on one core.
      const [encoded, sideFiles] = await steps.run('encode', () =>
        Promise.all([encodeResult(enhanced, order), storeSideFiles(this.store, payload, enhanced)]),
      );
      const stored = await steps.run('store', () => this.storeResult(order, encoded));

      const { contentType, width, height, sizeBytes } = probed;
      const input = { key: payload.inputKey, contentType, width, height, sizeBytes };
      return { input, ...stored, ...sideFiles, faces, recipe, timings: steps.timings };
    } finally {
      await file.release();
    }
  }

  /** The decoded pixels are released on return: encoding needs their memory. */
  private async enhance(
    file: LocalFile,
    payload: Payload,
    context: JobContext,
    steps: Steps<keyof typeof PROGRESS_AFTER>,
  ): Promise<{ probed: ProbedImage; enhanced: EnhancedPicture }> {
    const { signal } = context;
    const place = (part: number) => PROGRESS_AFTER.decode + part * (PROGRESS_AFTER.enhance - PROGRESS_AFTER.decode);
    const onProgress: ReportProgress = (part, running) =>
      context.progress(place(part), running && { ...running, until: place(running.until) });
    const probed = await steps.run('probe', () => probeImage(file.path));
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
    const enhanced = await steps.run('enhance', async () => {
      const parts = await readKept(this.store, payload.kept, variants);
      const order = { ...payload, aiPipeline };
      return enhancePicture(this.enhancer, decoded, order, { signal, onProgress, keep: { variants, parts } });
    });
    steps.addParts('enhance', enhanced.timings);
    return { probed, enhanced };
  }

  private async storeResult(
    payload: Payload,
    encoded: EncodedResult,
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

type Face = Pick<FaceReport, 'box'>;
type Order = Pick<JobPayload<typeof enhanceImage>, 'rendition' | 'display' | 'keepLocation'>;

interface EncodedResult extends EncodedDisplay {
  readonly master: EncodedImage;
  readonly rendition: EncodedImage;
}

export async function encodeResult(
  { picture, recipe, faces }: { readonly picture: Picture; readonly recipe: Recipe; readonly faces: readonly Face[] },
  order: Order,
): Promise<EncodedResult> {
  const metadata = fileMetadataOf(picture.metadata, { recipe, keepLocation: order.keepLocation });
  const lossless = { contentType: 'image/png', jpegQuality: DEFAULT_JPEG_QUALITY } as const;
  const encodingMaster = encodeImage(canvasOf(picture), lossless, metadata);
  const [master, rendition, display] = await Promise.all([
    encodingMaster,
    equalsMaster(order.rendition, picture) ? encodingMaster : encodeRendition(picture, order.rendition, metadata),
    encodeDisplay(
      picture,
      order.display,
      faces.map(({ box }) => regionOf(box, picture)),
    ),
  ]);
  return { master, rendition, ...display };
}

const regionOf = ({ x, y, width, height }: Face['box'], picture: Picture): Region => ({
  x: x / picture.width,
  y: y / picture.height,
  width: width / picture.width,
  height: height / picture.height,
});

const equalsMaster = ({ contentType, watermark, maxSide }: Order['rendition'], { width, height }: Picture): boolean =>
  contentType === 'image/png' && !watermark && (maxSide === null || Math.max(width, height) <= maxSide);
