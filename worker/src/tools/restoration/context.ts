import type { Recipe } from '@clearframe/contract/pipeline';
import type { DetectedFace } from '../../networks/face-detector.js';
import type { Sessions } from '../../networks/sessions.js';
import type { Box, Raster } from '../../rasters/raster.js';
import { fromPlanes } from '../../rasters/raster.js';
import { shrinkCoefficients } from './dct-shrinkage.js';
import { type Assessment, assess, softFraction } from './denoise.js';
import { measureSoftness } from './softness.js';

export interface FaceReport {
  /** In pixels of the output. */
  box: Box;
  confidence: number;
  /** Measured at full strength; see `IdentityCheck`. Null if not measured or the face is unchanged. */
  identitySimilarity: number | null;
  /** Share of the restored face in the result, 0..1. */
  blend: number;
  /** Whether restoring or retouching changed its box visibly; known after these steps. */
  isVisible: boolean;
  /** Whether it was blended less than planned, because the restored face resembled another person. */
  heldBack: boolean;
  /** Whether it has the original's pixels, because its restoration isn't as similar as requested. */
  keptOriginal: boolean;
}

export interface Face extends DetectedFace {
  /** Including its surroundings; see `measureSoftness`. */
  softness: number;
  /** Mesh points in pixels of the picture, x and y alternating, of a face that the mesh finds in its restoration only. */
  points?: Float32Array;
}

export interface Patch {
  restored: Raster;
  /** Inside the picture, of the patch's size. */
  at: Box;
  /** The box before it was cut at the picture's edge. */
  full: Box;
  measured: Box;
  softness: number;
}

/** A restored face at full strength. */
export interface FacePatch extends Patch {
  /** Share that its defects ask for, 0..1. */
  readonly share: number;
  /** Share at which it still shows the same person, 0..1. */
  readonly blend: number;
  /** Similarity at that share; null if unknown. */
  readonly similarity: number | null;
  readonly heldBack: boolean;
}

export type LeftAlone = NonNullable<Recipe['leftAlone']>[number];

/** The rest of a step that has begun. */
export type Finish = (onProgress: (fraction: number) => void) => Promise<void>;

/**
 * Work that runs beside the steps of a picture, which ends after all of it: networks of a cancelled picture would take
 * the next one's cores.
 */
export class SideWork {
  readonly #running: Promise<unknown>[] = [];

  /** Its error is reported to the one who awaits it. */
  add<Result>(work: Promise<Result>): Promise<Result> {
    this.#running.push(work.catch(() => undefined));
    return work;
  }

  /** Resolves when nothing runs any more, however it ended. */
  async ended(): Promise<void> {
    for (const work of this.#running) await work;
  }
}

/** Shared by the steps of one picture. Rasters have its size unless they say otherwise. */
export interface PipelineContext {
  readonly sessions: Sessions;
  readonly signal: AbortSignal;
  readonly beside: SideWork;
  readonly original: Raster;
  /** Result so far, modified by the steps. */
  readonly current: Raster;
  assessed: Assessment | null;
  /** Denoised luma of the original, if noise is strong enough to look like detail. */
  noiseless: Raster | null;
  /** What the network for faces makes of the whole original, if it runs or ran on that. Not modified. */
  restored?: Promise<Raster> | undefined;
  /** Enhanced or enlarged at full strength, without faces; null before. */
  background: Raster | null;
  /** Largest first; empty before detection. */
  faces: Face[];
  /** Patches by index of the face, at full strength; null or absent where it needs no restoration. */
  patches: (FacePatch | null)[];
  reports: FaceReport[];
  /** 16-bit samples, if the input has them and only color is changed. */
  readonly deep: Uint16Array | null;
  /** Null: sRGB. */
  readonly icc: Uint8Array | null;
  /** Whether tables have all colors, for a larger picture with others. */
  readonly wholeTables?: boolean | undefined;
}

type Given = Pick<PipelineContext, 'sessions' | 'signal' | 'original' | 'current' | 'deep' | 'icc' | 'wholeTables'>;

export const contextOf = (given: Given): PipelineContext => ({
  ...given,
  beside: new SideWork(),
  assessed: null,
  noiseless: null,
  background: null,
  faces: [],
  patches: [],
  reports: [],
});

/** Noise in levels that can hide blur, and the strength at which it is removed to measure again. */
const MIN_HIDING_NOISE = 1;
const HIDING_FACTOR = 1.4;
/** Reduced n times, a picture has 1/n of its noise, or slightly more after JPEG. */
const NOISE_LEFT = 1.3;

/** Noise looks like detail, so a noisy picture is measured again without it. */
export async function measurePicture(original: Raster): Promise<Pick<PipelineContext, 'assessed' | 'noiseless'>> {
  const whole = { x: 0, y: 0, width: original.width, height: original.height };
  const assessed = await assess(original, measureSoftness(original, whole));
  const noiseless = withoutNoise(assessed);
  if (!noiseless) return { assessed, noiseless };
  const softness = measureSoftness(noiseless, whole);
  if (softFraction(softness) === 0) return { assessed, noiseless };
  const { planes, defects } = await assess(original, softness);
  const noise = Math.min(defects.noise, (NOISE_LEFT * assessed.defects.noise) / softness);
  return { assessed: { planes, defects: { ...defects, noise } }, noiseless };
}

/** Luma denoised more than a result would be; null if there is too little noise to hide blur. */
function withoutNoise({ planes, defects }: Assessment): Raster | null {
  if (softFraction(defects.softness) > 0 || defects.noise < MIN_HIDING_NOISE) return null;
  const { width, height } = planes;
  const luma = shrinkCoefficients(planes.luma, width, height, { noise: HIDING_FACTOR * defects.noise, step: 4 });
  const gray = new Float32Array(luma.length);
  return fromPlanes({ width, height, luma, blueDifference: gray, redDifference: gray });
}
