import { visiblePart } from '../../../rasters/blend.js';
import { ramp } from '../../../rasters/ramp.js';
import { type Box, clampBox, createRaster, crop, type Raster } from '../../../rasters/raster.js';
import { resize } from '../../../rasters/resize.js';
import type { Face, FacePatch, PipelineContext } from '../../context/context.js';
import { addDetail, DETAIL_SECONDS } from '../../restoration/detail.js';
import {
  type EnsembleOptions,
  type EnsembleStart,
  finishEnsemble,
  LARGE_SECONDS,
  runLarge,
  secondsFor,
  startEnsemble,
  verySoftFraction,
} from '../../restoration/ensemble.js';
import { type Layer, mixLayers } from '../../restoration/layers.js';
import { type WorkingCopy, workingCopy } from '../../restoration/working-size.js';
import { assess, enhancementNeed } from '../../signal/denoise.js';
import { IdentityCheck } from '../verification/identity.js';
import { MESH_SCALE, squareAround } from '../verification/locate-face.js';
import { realPixelsOf } from '../verification/verify-faces.js';
import { backgroundResult } from './background-result.js';
import { blendWhileSimilar } from './blend-face.js';
import { detailAmount } from './detail-amount.js';
import { type FaceGeometry, locateInRegion, regionOf } from './face-geometry.js';
import { FACE_MODELS, type FaceModel, type FaceModelName } from './face-models.js';
import { guideBySmallFace } from './small-face.js';

/** Seconds per face outside the networks. */
const OVERHEAD_SECONDS = 0.15;
/** Greatest number of faces restored, largest first. */
const MAX_FACES = 12;
/**
 * Real pixels across a face box, and levels of noise. With few pixels and much noise the networks invent a face; a
 * small face that is merely soft comes closer to the person. Measured by identity distance before and after.
 */
const RECOGNIZABLE = { from: 28, to: 64 } as const;
const MISLEADING_NOISE = { from: 0.5, to: 3 } as const;
/** In this much noise a small face is more like itself in the background result: up to `kept` of that stays. */
const VERY_NOISY = { from: 8, to: 11, kept: 0.45 } as const;
const MIN_TRUST = 0.3;
/** Levels of noise that hide where the parts of a small face are. */
const HIDING_NOISE = 2.5;
/**
 * Real pixels across a face between which the network for small faces gives way to the others. With 30, the large
 * network, which has no model of a face, fills in the eyes. At most `most` counts: the rest is the denoised face.
 */
const GUIDED = { from: 32, to: 56, most: 0.85 } as const;
/** Share of the small network in a slightly soft face. */
const MIN_SMALL_PART = 0.35;
/** Factor by which a face is reduced less than a picture before denoising: its features are finer than noise. */
const FACE_REDUCTION = 0.75;

/**
 * Noise and blockiness in levels over which the intensity of denoising doubles to that of the whole picture: some noise looks
 * better than a smoothed face.
 */
const NOISY = { from: 2, to: 7 } as const;
const BLOCKY = { from: 0.95, to: 1.6 } as const;

/** Estimated seconds for the detected faces, or for one before the detection. */
export function secondsForFaces(context: PipelineContext, name: FaceModelName): number {
  const model = FACE_MODELS[name];
  if (context.faces.length === 0) return (model.largePixels / 1e6) * LARGE_SECONDS;
  return context.faces.slice(0, MAX_FACES).reduce((sum, face) => {
    const { at } = regionOf(context, face, model);
    const detailSeconds = (at.width * at.height * DETAIL_SECONDS) / 1e6;
    return sum + OVERHEAD_SECONDS + secondsFor(at, face.softness, model) + detailSeconds;
  }, 0);
}

/** A face whose large network runs. */
interface StartedFace {
  readonly face: Face;
  readonly full: Box;
  readonly at: Box;
  readonly copy: WorkingCopy;
  /** Located at once where it guides the restoration, else while the large network runs. */
  readonly locate: () => Promise<FaceGeometry | null>;
  readonly guided: number;
  /** Share that its defects ask for, 0..1. */
  readonly share: number;
  readonly options: EnsembleOptions;
  readonly ensemble: EnsembleStart;
  readonly large: Promise<Raster | null>;
  readonly measured: Box;
}

/** Null for a face that needs no restoration. */
type Starting = Promise<StartedFace | null>;

/**
 * Restores the largest faces at their real resolution and full strength, and blends them as far as it helps. Networks
 * of a face run while the one before is finished: their threads leave cores unused.
 */
export class FaceRestoration {
  readonly #context: PipelineContext;
  readonly #model: FaceModel;
  readonly #faces: readonly Face[];
  #next: Starting | undefined;

  constructor(context: PipelineContext, name: FaceModelName) {
    this.#context = context;
    this.#model = FACE_MODELS[name];
    this.#faces = context.faces.slice(0, MAX_FACES);
  }

  /** Starts the first face, which depends on the original only. */
  begin(): void {
    this.#start(0);
  }

  async finish(onProgress: (fraction: number) => void): Promise<void> {
    if (!this.#next) this.#start(0);
    for (const index of this.#faces.keys()) {
      const started = await this.#next;
      this.#context.signal.throwIfAborted();
      const run = started && (await runFace(this.#context, started, this.#model));
      this.#context.signal.throwIfAborted();
      this.#start(index + 1);
      this.#context.patches.push(run ? await finishFace(this.#context, run, this.#model) : null);
      onProgress((index + 1) / this.#faces.length);
    }
  }

  /** Resolves when nothing runs any more, however it ended. */
  async settled(): Promise<void> {
    const started = await this.#next?.catch(() => undefined);
    await started?.large.catch(() => undefined);
  }

  #start(index: number): void {
    const face = this.#faces[index];
    this.#next = face && startFace(this.#context, face, this.#model);
    // Reported to the one who awaits it, or not needed.
    this.#next?.catch(() => undefined);
  }
}

async function startFace(context: PipelineContext, face: Face, model: FaceModel): Starting {
  const { softness } = face;
  const { full, at } = regionOf(context, face, model);
  const original = crop(context.original, at);
  const assessed = await assess(original, softness, FACE_REDUCTION);
  // A face has few calm places; the whole picture's measure is more reliable.
  const noise = Math.min(assessed.defects.noise, context.assessed?.defects.noise ?? Number.POSITIVE_INFINITY);
  assessed.defects = { ...assessed.defects, noise };
  const small = 1 - ramp(realPixelsOf(face), RECOGNIZABLE.from, RECOGNIZABLE.to);
  const wanted = enhancementNeed(assessed.defects);
  if (wanted <= 0) return null;
  const copy = await workingCopy(original, assessed);
  const guidance = 1 - ramp(realPixelsOf(face), GUIDED.from, GUIDED.to);
  const isHiddenByNoise = noise >= HIDING_NOISE && guidance > 0;
  const locateNow = () => locateInRegion(context.sessions, context.original, face, at, copy.region, isHiddenByNoise);
  const geometry = guidance > 0 ? await locateNow() : null;
  const locate = guidance > 0 ? async () => geometry : locateNow;
  const guided = geometry ? guidance : 0;
  const unguided = (1 - guided) * small;
  const share = wanted * (1 - VERY_NOISY.kept * unguided * ramp(noise, VERY_NOISY.from, VERY_NOISY.to));
  const networkTrust = 1 - (1 - MIN_TRUST) * unguided * ramp(noise, MISLEADING_NOISE.from, MISLEADING_NOISE.to);
  const degradation = Math.max(
    ramp(noise, NOISY.from, NOISY.to),
    ramp(assessed.defects.blockiness, BLOCKY.from, BLOCKY.to),
  );
  const preBlur = model.preBlur / copy.reduction;
  const options: EnsembleOptions = {
    ...model,
    preBlur,
    largePart: visiblePart(at, full),
    intensity: model.intensity * (1 + degradation),
    small: smallShare(model, softness) * networkTrust * (1 - guided),
    large: model.large * networkTrust * (1 - guided),
    refine:
      geometry && guided > 0
        ? (denoised) =>
            guideBySmallFace(context.sessions, copy.region, denoised, geometry, {
              share: GUIDED.most * guided,
              preBlur,
            })
        : undefined,
    texture: model.texture * (1 - degradation),
  };
  const ensemble = await startEnsemble(context, copy.region, copy.assessed, options);
  const large = runLarge(context, ensemble, options);
  // Reported to the one who awaits it.
  large.catch(() => undefined);
  const measured = clampBox(squareAround(face.box, MESH_SCALE), context.original.width, context.original.height);
  return { face, full, at, copy, locate, guided, share, options, ensemble, large, measured };
}

/** A face whose networks have run, but for those of its detail. */
interface RunFace extends StartedFace {
  readonly geometry: FaceGeometry | null;
  readonly check: IdentityCheck;
  readonly layers: readonly Layer[];
}

/** Everything but the large network's view is computed while that runs in its thread. */
async function runFace(context: PipelineContext, started: StartedFace, model: FaceModel): Promise<RunFace> {
  const { face, at, copy, options, ensemble, large } = started;
  const check = await identityOf(context, started).then((each) => each.prepare());
  const geometry = await started.locate();
  const { layers } = await finishEnsemble(context, ensemble, large, {
    ...options,
    smallOutput: model.preBlur > 0 ? undefined : backgroundResult(context, at, face.softness, copy.region),
  });
  return { ...started, check, geometry, layers };
}

const identityOf = ({ sessions, original }: PipelineContext, { face, measured }: StartedFace): Promise<IdentityCheck> =>
  IdentityCheck.of(sessions, crop(original, measured), face.softness);

async function finishFace(
  context: PipelineContext,
  { face, full, at, copy, geometry, guided, share, layers, check, measured }: RunFace,
  model: FaceModel,
): Promise<FacePatch> {
  const { softness } = face;
  const mixed = createRaster(copy.region.width, copy.region.height);
  mixLayers(mixed, layers, 1);
  await addDetail(context, mixed, {
    softness: softness / copy.reduction,
    amount: detailAmount(model.detail, softness, guided),
    clarity: model.clarity,
    features: geometry?.features ?? null,
  });
  const restored = await resize(mixed, at.width, at.height, 'cubic');
  const patch = { restored, at, full, measured, softness };
  const blended = await blendWhileSimilar(check, context.current, patch, share);
  return { ...patch, share, ...blended };
}

/** Skip a view that is softened by more than half of the face's own softness: it shows less than the face. */
function smallShare({ small, preBlur }: EnsembleOptions, softness: number): number {
  const smallOutput = preBlur > 0 ? ramp(softness, preBlur, 2 * preBlur) : 1;
  return small * smallOutput * (MIN_SMALL_PART + (1 - MIN_SMALL_PART) * verySoftFraction(softness));
}
