import { setImmediate as turn } from 'node:timers/promises';
import { enlarge } from '../../networks/super-resolution.js';
import { ramp } from '../../rasters/ramp.js';
import type { Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import type { PipelineContext } from './context.js';
import { type Assessment, denoise, softFraction } from './denoise.js';
import { measureContrast } from './gain-limiter.js';
import type { Layer } from './layers.js';
import { RESTORATION_SECONDS, restoredPixels, restoreRegion } from './restored-region.js';

export interface EnsembleOptions {
  /** See `denoise`. */
  intensity: number;
  /** Greatest local contrast of the networks' outputs, relative to the original. */
  maxGain: number;
  /** Share of the network for photos, 0..1; the rest is the denoised picture's. */
  photo: number;
  /** Share of the network for faces, which restores other things too. */
  face: number;
  onProgress?(fraction: number): void;
}

interface Size {
  width: number;
  height: number;
}

/** Sharper pictures keep more of their own detail without the network for faces. */
const SLIGHTLY_SOFT = 2.4;
const VERY_SOFT = 3.4;
/** Real pixels of a picture that the network for faces restores. More would take too long. */
const RESTORED_PIXELS = { least: 1000, most: 64_000 } as const;
/** A smaller share would be invisible. */
const MIN_FACE_SHARE = 0.08;
/** A smaller reduction takes too long, and sharp regions need no network. */
const MIN_REDUCTION = 2;
/** Contrast that is always allowed, in levels: otherwise rounding would freeze flat areas. */
const ALLOWANCE = 0.5;
/** Seconds per megapixel of input on two quiet cores; used for progress only. */
const PHOTO_SECONDS = 1.7;

/** Reduction of a picture for the network for photos, so that each pixel carries detail. */
function photoReduction(softness: number): number {
  return Math.max(MIN_REDUCTION, softness);
}

function isRestored({ width, height }: Size, softness: number): boolean {
  const real = (width * height) / Math.max(1, softness) ** 2;
  return real >= RESTORED_PIXELS.least && real <= RESTORED_PIXELS.most;
}

/**
 * The share of the network for photos grows with noise, in levels: at full share a blurred, clean portrait lost 0.01 of
 * similarity.
 */
const CLEAN = { part: 0.4, noise: 0.3, noisy: 1 } as const;

interface ByNetwork {
  readonly photo: number;
  readonly face: number;
}

function sharesOf(picture: Size, softness: number, options: EnsembleOptions): ByNetwork {
  const wanted = options.face * ramp(softness, SLIGHTLY_SOFT, VERY_SOFT);
  const face = wanted >= MIN_FACE_SHARE && isRestored(picture, softness) ? wanted : 0;
  const photo = face > 0 ? options.photo : Math.min(0.5, options.photo * 1.5);
  return { photo: photo * softFraction(softness), face };
}

/** Estimated seconds inside the networks, by network. */
export function secondsFor(picture: Size, softness: number, options: EnsembleOptions): ByNetwork {
  const { photo, face } = sharesOf(picture, softness, options);
  const photoPixels = photo > 0 ? (picture.width * picture.height) / photoReduction(softness) ** 2 : 0;
  const facePixels = face > 0 ? restoredPixels(picture, softness) : 0;
  return { photo: (photoPixels * PHOTO_SECONDS) / 1e6, face: (facePixels * RESTORATION_SECONDS) / 1e6 };
}

export const usesPhotoNetwork = (picture: Size, softness: number, options: EnsembleOptions): boolean =>
  sharesOf(picture, softness, options).photo > 0;

/** The view of the network for photos. */
export function runPhotoNetwork(
  context: PipelineContext,
  picture: Raster,
  softness: number,
  options: EnsembleOptions,
): Promise<Raster> {
  return enlargePhoto(context, picture, 1 / photoReduction(softness), (part) => options.onProgress?.(part));
}

/** The view of the network for faces; null where it is skipped. */
export async function runFaceNetwork(
  context: PipelineContext,
  picture: Raster,
  assessed: Assessment,
  options: EnsembleOptions,
): Promise<Raster | null> {
  if (sharesOf(picture, assessed.defects.softness, options).face === 0) return null;
  // A network of aligned faces shows nothing else.
  if (context.sessions.entryFor('restore-face').alignment) return null;
  // The detection of faces in noise has run it.
  const known = picture === context.original ? context.restored : undefined;
  if (known) context.sessions.clock.reuse('restore-face');
  return known ?? restoreRegion(context, picture, assessed, (part) => options.onProgress?.(part));
}

/**
 * Layers of a result that averages three views of the picture: denoised without a network, and both networks'. Their
 * errors average out.
 * @param running the networks' views; null where they are skipped
 */
export async function ensembleLayers(
  context: PipelineContext,
  picture: Raster,
  assessed: Assessment,
  options: EnsembleOptions,
  running: { readonly photo: Promise<Raster> | undefined; readonly face: Promise<Raster | null> },
): Promise<Layer[]> {
  const { softness, noise } = assessed.defects;
  const denoised = await denoise(picture, assessed, options.intensity);
  // Synchronous code may have held the thread for seconds: handle a cancellation.
  await turn();
  context.signal.throwIfAborted();
  const wanted = sharesOf(picture, softness, options);
  const clean = CLEAN.part + (1 - CLEAN.part) * ramp(noise, CLEAN.noise, CLEAN.noisy);
  const shares: ByNetwork = { ...wanted, photo: wanted.photo * clean };
  if (shares.photo + shares.face === 0) return [{ raster: denoised, share: 1, limit: null }];
  const radius = Math.max(6, softness * 1.5);
  const limit = {
    maxGain: options.maxGain,
    allowance: ALLOWANCE,
    radius,
    reference: measureContrast(denoised, radius),
  };
  const layers: Layer[] = [];
  const photo = await running.photo;
  if (photo) layers.push({ raster: photo, share: shares.photo, limit });
  const face = await running.face;
  if (face) layers.push({ raster: face, share: shares.face, limit });
  const rest = layers.reduce((left, { share }) => left - share, 1);
  return [{ raster: denoised, share: rest, limit: null }, ...layers];
}

const TILES = { size: 320, feather: 8, context: 10 };

/** What the network for photos makes of a picture reduced by `factor`, at the picture's size. */
async function enlargePhoto(
  { sessions, signal }: Pick<PipelineContext, 'sessions' | 'signal'>,
  picture: Raster,
  factor: number,
  onProgress: (fraction: number) => void,
): Promise<Raster> {
  const width = Math.max(1, Math.round(picture.width * factor));
  const height = Math.max(1, Math.round(picture.height * factor));
  const input = await resize(picture, width, height, 'cubic');
  const enlarged = await enlarge(await sessions.get('restore-photo'), input, {
    limits: TILES,
    signal,
    onTile: (done, total) => onProgress(done / total),
  });
  return await resize(enlarged, picture.width, picture.height, 'cubic');
}
