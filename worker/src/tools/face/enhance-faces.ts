import { FACE_V1_PRE_BLUR } from '@clearframe/contract/pipeline';
import { blendAligned, runAligned } from '../../networks/aligned-restoration.js';
import { fivePoints } from '../../networks/face-alignment.js';
import type { Sessions } from '../../networks/sessions.js';
import { ramp } from '../../rasters/ramp.js';
import { blur, clampBox, createRaster, crop, type Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import type { Face, FacePatch, Finish, PipelineContext } from '../restoration/context.js';
import { type Assessment, assess, denoise, enhancementNeed } from '../restoration/denoise.js';
import { addDetail, DETAIL_SECONDS } from '../restoration/detail.js';
import { type Layer, mixLayers } from '../restoration/layers.js';
import {
  RESTORATION_SECONDS,
  restoredPixels,
  restoreRegion,
  type WorkingCopy,
  workingCopy,
} from '../restoration/restored-region.js';
import { blendWhileSimilar, visiblePart } from './blend-face.js';
import { locateInRegion, regionOf } from './face-geometry.js';
import { IdentityCheck } from './identity.js';
import { MESH_SCALE, squareAround } from './locate-face.js';
import { realPixelsOf } from './verify-faces.js';

/** Seconds per face outside the networks. */
const OVERHEAD_SECONDS = 0.15;
/** Sides in pixels of a face before the detection, for the estimate of its time. */
const EXPECTED_SIDE = 500;
const MAX_FACES = 12;
/** Levels of noise that hide where the parts of a small face are. */
const HIDING_NOISE = 2.5;
/**
 * Real pixels across a face between which the network for small faces gives way to the one for all sizes. At most `most` of its
 * result counts.
 */
const GUIDED = { from: 32, to: 56, most: 0.85 } as const;
/** Factor by which a face is reduced less than a picture before noise is measured: its features are finer than noise. */
const FACE_REDUCTION = 0.75;
/** Standard deviation of a blur that removes a face's finest detail, in pixels per softness. */
const FINEST_BLUR = 0.8;
/** Narrower ones are not worth their time. */
const FAINTEST_BLUR = 1 / 3;

const DENOISED = 0.3;

/** Estimated seconds for the detected faces, or for one before the detection. */
export function secondsForFaces(context: PipelineContext): number {
  if (context.faces.length === 0) return (RESTORATION_SECONDS * EXPECTED_SIDE ** 2) / 1e6;
  return context.faces.slice(0, MAX_FACES).reduce((sum, face) => {
    const { at } = regionOf(context, face);
    const detailSeconds = (at.width * at.height * DETAIL_SECONDS) / 1e6;
    const restorationSeconds = (restoredPixels(at, face.softness) * RESTORATION_SECONDS) / 1e6;
    return sum + OVERHEAD_SECONDS + restorationSeconds + detailSeconds;
  }, 0);
}

/**
 * Restores the largest faces at their real resolution and full strength, and blends them as far as it helps. The network
 * of a face runs while the one before is finished: its threads leave cores unused.
 * @param models by index of the face
 * @returns after it has started the first face, which depends on the original only, what does the rest
 */
export function beginFaces(context: PipelineContext, models: readonly FaceModelName[]): Finish {
  const { signal, beside, patches } = context;
  const faces = context.faces.slice(0, MAX_FACES);
  const start = (index: number) => {
    const face = faces[index];
    return face && beside.add(startFace(context, face, FACE_MODELS[models[index] ?? 'base']));
  };
  let next = start(0);
  return async (onProgress) => {
    for (const index of faces.keys()) {
      const run = await next;
      signal.throwIfAborted();
      const finish = await run?.();
      signal.throwIfAborted();
      next = start(index + 1);
      patches.push((await finish?.()) ?? null);
      onProgress((index + 1) / faces.length);
    }
  };
}

/**
 * A face's defects, and the share of the restored face that they ask for.
 * @returns null for a face that needs no restoration
 */
async function assessFace(
  context: PipelineContext,
  { softness }: Face,
  original: Raster,
): Promise<{ assessed: Assessment; share: number } | null> {
  const assessed = await assess(original, softness, FACE_REDUCTION);
  // A face has few calm places; the whole picture's measure is more reliable.
  const noise = Math.min(assessed.defects.noise, context.assessed?.defects.noise ?? Number.POSITIVE_INFINITY);
  assessed.defects = { ...assessed.defects, noise };
  const share = enhancementNeed(assessed.defects);
  return share > 0 ? { assessed, share } : null;
}

/** The faces that {@link beginFaces} would restore. */
export async function restorableFaces(context: PipelineContext): Promise<ReadonlySet<Face>> {
  const restorable = new Set<Face>();
  for (const face of context.faces.slice(0, MAX_FACES)) {
    context.signal.throwIfAborted();
    if (await assessFace(context, face, crop(context.original, regionOf(context, face).at))) restorable.add(face);
  }
  return restorable;
}

/**
 * Starts the network of a face.
 * @returns what ends when the networks have run, but for those of detail, and then what finishes the face; null for a
 * face that needs no restoration
 */
async function startFace(
  context: PipelineContext,
  face: Face,
  model: FaceModel,
): Promise<(() => Promise<() => Promise<FacePatch>>) | null> {
  const { sessions, beside } = context;
  const { softness } = face;
  const { full, at } = regionOf(context, face);
  const original = crop(context.original, at);
  const needed = await assessFace(context, face, original);
  if (!needed) return null;
  const { assessed, share } = needed;
  const copy = await workingCopy(original, assessed);
  const guidance = 1 - ramp(realPixelsOf(face), GUIDED.from, GUIDED.to);
  const isHiddenByNoise = assessed.defects.noise >= HIDING_NOISE && guidance > 0;
  const locate = () => locateInRegion(sessions, context.original, face, at, copy.region, isHiddenByNoise);
  const guide = guidance > 0 ? await locate() : null;
  const guided = guide ? guidance : 0;
  const source = await blurred(copy, model.preBlur * ramp(softness, model.preBlur, 2 * model.preBlur));
  const restoring = beside.add(restoreRegion(context, source, copy.assessed, undefined, visiblePart(at, full)));
  return async () => {
    // Everything else is computed while the network runs in its thread.
    const around = clampBox(squareAround(face.box, MESH_SCALE), context.original.width, context.original.height);
    const check = await IdentityCheck.of(sessions, crop(context.original, around), softness);
    await check.prepare();
    const geometry = guidance > 0 ? guide : await locate();
    const views = await averaged(await restoring, copy, model);
    const restored = guide
      ? await guideBySmallFace(sessions, source, views, guide.points, GUIDED.most * guided)
      : views;
    return async () => {
      await addDetail(context, restored, {
        softness: softness / copy.reduction,
        amount: detailAmount(model.detail, softness, guided),
        clarity: model.clarity,
        features: geometry?.features ?? null,
      });
      const enlarged = await resize(restored, at.width, at.height, 'cubic');
      const patch = { restored: enlarged, at, full, measured: around, softness };
      return { ...patch, share, ...(await blendWhileSimilar(check, context.current, patch, share)) };
    };
  };
}

/** A blur as wide as the face's own would take what the face shows. @param sigma in the picture's pixels */
async function blurred({ region, reduction }: WorkingCopy, sigma: number): Promise<Raster> {
  return sigma / reduction < FAINTEST_BLUR ? region : blur(region, sigma / reduction);
}

/** The restored region with what the network for small faces makes of the original, to a share of 0..1. */
export async function guideBySmallFace(
  sessions: Sessions,
  original: Raster,
  restored: Raster,
  points: Float32Array,
  share: number,
): Promise<Raster> {
  const session = await sessions.get('restore-small-face');
  const { face, transform } = await runAligned(session, original, fivePoints(points));
  return blendAligned(restored, face, transform, share);
}

/** The network's view with that of the denoised face, whose errors differ: the mean is nearer to the person. */
async function averaged(restored: Raster, { region, assessed }: WorkingCopy, { texture }: FaceModel): Promise<Raster> {
  const mixed = createRaster(region.width, region.height);
  const denoised = await denoise(region, assessed);
  const layers: Layer[] = [
    { raster: restored, share: 1 - DENOISED, limit: null },
    { raster: denoised, share: DENOISED, limit: null },
  ];
  if (texture > 0) {
    const coarse = await blur(region, FINEST_BLUR * assessed.defects.softness);
    layers.push({ raster: region, share: texture, limit: null }, { raster: coarse, share: -texture, limit: null });
  }
  mixLayers(mixed, layers, 1);
  return mixed;
}

/** Exponent of softness in the amount of detail: the network is the more cautious, the softer the face. */
const DETAIL_GROWTH = 0.28;
/**
 * Softness between which the small-face network's result, softer there than the enlarged views, gets up to `most` more
 * detail. Less soft small faces would become crisper than the truth.
 */
const GUIDED_DETAIL = { from: 4.5, to: 8, most: 0.35 } as const;

/**
 * Amount of predicted detail, see `addDetail`.
 * @param detail the model's amount for a softness of 2
 * @param guided share of the small-face network's result, 0..1
 */
function detailAmount(detail: number, softness: number, guided: number): number {
  const guidedPart = guided * GUIDED_DETAIL.most * ramp(softness, GUIDED_DETAIL.from, GUIDED_DETAIL.to);
  return detail * (Math.max(softness, 2) / 2) ** DETAIL_GROWTH * (1 + guidedPart);
}

type FaceModelName = 'base' | 'v1' | 'v2';

interface FaceModel {
  /** Standard deviation, in the picture's pixels, of a Gaussian blur before the networks; 0 for none. */
  preBlur: number;
  /** How much of the face's own finest detail is added to the result, 0..1. */
  texture: number;
  /** Amount of predicted detail for a softness of 2; see `addDetail`. */
  detail: number;
  /** See `addDetail`. */
  clarity: number;
}

const FACE_MODELS: Readonly<Record<FaceModelName, FaceModel>> = {
  base: { preBlur: 0, texture: 0, detail: 1.1, clarity: 0.09 },
  v1: { preBlur: FACE_V1_PRE_BLUR, texture: 0, detail: 0.62, clarity: 0.1 },
  v2: { preBlur: 0, texture: 0.35, detail: 1.35, clarity: 0.1 },
};
