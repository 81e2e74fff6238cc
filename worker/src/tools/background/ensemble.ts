import { setImmediate as turn } from 'node:timers/promises';
import { enlarge } from '../../networks/super-resolution.js';
import { ramp } from '../../rasters/ramp.js';
import type { Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import type { PipelineContext } from '../restoration/context.js';
import { denoise, softFraction } from '../restoration/denoise.js';
import { measureContrast } from '../restoration/gain-limiter.js';
import type { Layer } from '../restoration/layers.js';
import { RESTORATION_SECONDS, restoredPixels, type WorkingCopy } from '../restoration/restored-region.js';

export interface EnsembleOptions {
  /** See `denoise`. */
  intensity: number;
  /** Greatest local contrast of the networks' outputs, relative to the original. */
  maxGain: number;
  /** Share of the network for photos, 0..1; the rest is the denoised picture's. */
  photo: number;
  /** Share of the network for faces, which restores other things too. */
  face: number;
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
/**
 * The share of the network for photos grows with noise, in levels: at full share a blurred, clean portrait lost 0.01 of
 * similarity.
 */
const CLEAN = { part: 0.4, noise: 0.3, noisy: 1 } as const;

export interface ByNetwork {
  readonly photo: number;
  readonly face: number;
}

/** Reduction of a picture for the network for photos, so that each pixel carries detail. */
const photoReduction = (softness: number): number => Math.max(MIN_REDUCTION, softness);

/** Shares of the networks, 0 for one that is skipped, and estimated seconds inside them. */
export function planEnsemble(
  picture: Pick<Raster, 'width' | 'height'>,
  softness: number,
  options: EnsembleOptions,
): { shares: ByNetwork; seconds: ByNetwork } {
  const pixels = picture.width * picture.height;
  const real = pixels / Math.max(1, softness) ** 2;
  const wanted = options.face * ramp(softness, SLIGHTLY_SOFT, VERY_SOFT);
  const isRestored = real >= RESTORED_PIXELS.least && real <= RESTORED_PIXELS.most;
  const face = isRestored && wanted >= MIN_FACE_SHARE ? wanted : 0;
  const photo = (face > 0 ? options.photo : Math.min(0.5, options.photo * 1.5)) * softFraction(softness);
  const photoPixels = photo > 0 ? pixels / photoReduction(softness) ** 2 : 0;
  const facePixels = face > 0 ? restoredPixels(picture, softness) : 0;
  return {
    shares: { photo, face },
    seconds: { photo: (photoPixels * PHOTO_SECONDS) / 1e6, face: (facePixels * RESTORATION_SECONDS) / 1e6 },
  };
}

/**
 * Layers of a result that averages three views of the picture: denoised without a network, and both networks'. Their
 * errors average out.
 * @param running the networks' views; absent where they are skipped
 */
export async function ensembleLayers(
  { signal }: PipelineContext,
  { region, assessed }: WorkingCopy,
  { intensity, maxGain }: EnsembleOptions,
  shares: ByNetwork,
  running: { readonly photo: Promise<Raster> | undefined; readonly face: Promise<Raster> | undefined },
): Promise<Layer[]> {
  const { softness, noise } = assessed.defects;
  const denoised = await denoise(region, assessed, intensity);
  // Synchronous code may have held the thread for seconds: handle a cancellation.
  await turn();
  signal.throwIfAborted();
  if (shares.photo + shares.face === 0) return [{ raster: denoised, share: 1, limit: null }];
  const radius = Math.max(6, softness * 1.5);
  const limit = { maxGain, allowance: ALLOWANCE, radius, reference: measureContrast(denoised, radius) };
  const clean = CLEAN.part + (1 - CLEAN.part) * ramp(noise, CLEAN.noise, CLEAN.noisy);
  const layers: Layer[] = [];
  const photo = await running.photo;
  if (photo) layers.push({ raster: photo, share: shares.photo * clean, limit });
  const face = await running.face;
  if (face) layers.push({ raster: face, share: shares.face, limit });
  const rest = layers.reduce((left, { share }) => left - share, 1);
  return [{ raster: denoised, share: rest, limit: null }, ...layers];
}

const TILES = { size: 320, feather: 8, context: 10 };

/** What the network for photos makes of a picture, reduced to its detail. */
export async function runPhotoNetwork(
  { sessions, signal }: Pick<PipelineContext, 'sessions' | 'signal'>,
  picture: Raster,
  softness: number,
  onProgress: (fraction: number) => void,
): Promise<Raster> {
  const factor = 1 / photoReduction(softness);
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
