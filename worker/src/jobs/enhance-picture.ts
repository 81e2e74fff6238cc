import {
  enhanceImage,
  enlargedSizeOf,
  type FaceReport,
  type JobPayload,
  type KeptVariants,
  RECIPE_VERSION,
  type Recipe,
  toolsOf,
} from '@clearframe/contract';
import type { Picture, Samples } from '../image/picture.js';
import { withKernels } from '../rasters/kernels.js';
import type { Raster } from '../rasters/raster.js';
import { Enlargement } from '../rasters/resize.js';
import { colorSpaceOf } from '../tools/color/color-space.js';
import { isFaded, measureFade } from '../tools/fade/measure-fade.js';
import { baseOf, type ChangeMap, type EncodedChanges } from '../tools/pipeline/compose.js';
import type { KeptBytes } from '../tools/pipeline/kept-parts.js';
import { keepsDepth, type StepTiming, type UnmappedResult } from '../tools/pipeline/pipeline.js';
import type { ReportProgress } from '../tools/pipeline/progress.js';
import type { Enhancer } from './enhancer.js';

type Payload = JobPayload<typeof enhanceImage>;

interface Order extends Pick<Payload, 'aiPipeline' | 'faceDetectorMaxInput' | 'maxSide'> {
  /** Samples in the size of the result; see `Mask` of the contract. */
  readonly mask: { readonly data: Uint8Array; readonly sha256: string } | null;
  /** Whether a result in full size is made of this one. */
  readonly isReduced?: boolean;
}

export interface EnhancedPicture {
  readonly picture: Picture;
  readonly faces: FaceReport[];
  readonly recipe: Recipe;
  readonly timings: readonly StepTiming[];
  readonly base: Raster;
  readonly changes: ChangeMap | EncodedChanges | null;
  readonly kept: readonly KeptBytes[];
  /** See {@link PipelineResult}. */
  readonly unmapped: UnmappedResult | null;
}

interface EnhanceContext {
  readonly signal: AbortSignal;
  readonly onProgress: ReportProgress;
  /** Names of the parts to keep, and those of earlier runs. */
  readonly keep: { readonly variants: KeptVariants; readonly parts: readonly KeptBytes[] };
}

/** Keeps transparency. An empty pipeline changes nothing. */
export async function enhancePicture(
  enhancer: Pick<Enhancer, 'enhance'>,
  picture: Picture,
  { aiPipeline, faceDetectorMaxInput, maxSide, mask, isReduced }: Order,
  { signal, onProgress, keep }: EnhanceContext,
): Promise<EnhancedPicture> {
  const { rgb, alpha, width, height } = picture;
  const is16Bit = rgb instanceof Uint16Array;
  if (is16Bit && !keepsDepth(aiPipeline)) throw new Error('the pipeline needs 8 bits a sample');
  const input = { width, height, data: is16Bit ? Uint8Array.from(rgb, (value) => Math.round(value / 257)) : rgb };
  const size = enlargedSizeOf(picture, aiPipeline, maxSide);
  const isEnlarged = size.width > width || size.height > height;
  const version = RECIPE_VERSION;
  const print = await printOf(input, picture.metadata.icc ?? null);
  const limit = mask && { mask: { sha256: mask.sha256 } };
  if (toolsOf(aiPipeline).length === 0 && !isEnlarged) {
    const nothing = { faces: [], timings: [], changes: null, kept: [], unmapped: null };
    return {
      ...nothing,
      picture,
      recipe: { version, aiPipeline, models: [], ...print, ...limit },
      base: await baseOf(input),
    };
  }
  const { raster, deep, faces, models, leftAlone, isUntouched, damage, unmatchedFaces, ...rest } =
    await enhancer.enhance(
      input,
      aiPipeline,
      {
        signal,
        onProgress,
        faceDetectorMaxInputRes: faceDetectorMaxInput,
        deep: is16Bit ? rgb : undefined,
        icc: picture.metadata.icc ?? undefined,
        size,
        mask: mask?.data,
        isReduced,
        keep,
        // A hung child must not block the next picture.
        timeoutMs: enhanceImage.timeoutMs,
      },
      aiPipeline.repair === undefined && isLight(keep),
    );
  return {
    picture: {
      ...picture,
      ...size,
      rgb: deep ?? raster.data,
      alpha: alpha && isEnlarged ? enlargeAlpha(alpha, picture, size) : alpha,
    },
    faces: faces.map(({ box, confidence, identitySimilarity, blend, isVisible, heldBack, keptOriginal }) => ({
      box,
      confidence,
      restored: blend > 0 && isVisible,
      identitySimilarity,
      ...(heldBack && { heldBack }),
      ...(keptOriginal && { keptOriginal }),
    })),
    recipe: {
      version,
      aiPipeline,
      models,
      ...limit,
      ...(leftAlone.length > 0 && { leftAlone }),
      ...(isUntouched && { isUntouched }),
      ...(damage && damage.count > 0 && { damage: roundedDamage(damage) }),
      ...print,
      ...(unmatchedFaces.length > 0 && { unmatchedFaces }),
      ...(isEnlarged && { enlargedBy: Math.round((1000 * size.width) / width) / 1000 }),
    },
    ...rest,
  };
}

const roundedDamage = ({ area, count }: { readonly area: number; readonly count: number }) => ({
  area: Math.round(area * 1e6) / 1e6,
  count,
});

async function printOf(picture: Raster, icc: Uint8Array | null): Promise<Pick<Recipe, 'isFaded' | 'isSepia'>> {
  const fade = await measureFade(picture, colorSpaceOf(icc));
  return { ...(isFaded(fade) && { isFaded: true }), ...(fade.isSepia && { isSepia: true }) };
}

/** Whether every pixel to restore is kept. */
const isLight = ({ variants, parts }: EnhanceContext['keep']): boolean =>
  [variants.background, variants.faces].every(
    (wanted) => wanted === null || parts.some(({ variant }) => variant === wanted),
  );

function enlargeAlpha(
  alpha: Samples,
  from: { readonly width: number; readonly height: number },
  to: { readonly width: number; readonly height: number },
): Uint8Array {
  if (alpha instanceof Uint16Array) throw new Error('enlarged pictures have 8 bits a sample');
  return withKernels(() => {
    const enlargement = new Enlargement({ ...from, data: alpha }, 1, to.width, to.height);
    const target = new Uint8Array(to.width * to.height);
    for (let y = 0; y < to.height; y++) enlargement.row(y, target.subarray(y * to.width, (y + 1) * to.width));
    return target;
  });
}
