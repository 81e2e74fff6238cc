import { setImmediate as turn } from 'node:timers/promises';
import { restoreAligned } from '../../networks/faces/aligned-restoration.js';
import { enlarge } from '../../networks/super-resolution.js';
import { ramp } from '../../rasters/ramp.js';
import { blur, type Raster } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import type { PipelineContext } from '../context/context.js';
import { type Assessment, denoise, softFraction } from '../signal/denoise.js';
import { measureContrast } from './gain-limiter.js';
import type { Layer } from './layers.js';

export interface EnsembleOptions {
  /** See `denoise`. */
  intensity: number;
  /** Greatest local contrast of the networks' outputs, relative to the original. */
  maxGain: number;
  /** Share of each network, 0..1; the rest is the reclaimed picture's. */
  small: number;
  large: number;
  /** Greatest input of the large network in pixels; a region with more detail is left to the others. */
  largePixels: number;
  /** Standard deviation, in the region's pixels, of a Gaussian blur before the networks; 0 for none. */
  preBlur: number;
  /** How much of the region's own finest detail is added to the result, 0..1. */
  texture: number;
  /** The small network's output for this region, if it already ran. */
  smallOutput?: Raster | undefined;
  /** Improves the denoised region before the large network sees it. */
  refine?: ((full: Raster) => Promise<Raster>) | undefined;
  onProgress?(fraction: number): void;
}

interface Size {
  width: number;
  height: number;
}

export interface Ensemble {
  /** The views and their shares, for `mixLayers`. */
  layers: Layer[];
  /** The small network's unlimited output; null where it did not run. */
  small: Raster | null;
}

/** Measured on faces by identity distance before and after. */
const SLIGHTLY_SOFT = 2.4;
const VERY_SOFT = 3.4;
/** A smaller reduction takes too long, and sharp regions need no network. */
const MIN_REDUCTION = 2;
/** The large network runs even on regions with up to this many times more pixels. */
const LARGEST_LOSS = 4;
/** The large network takes seconds; a smaller share would be invisible. */
const MIN_LARGE_SHARE = 0.08;
/** Too few pixels for the large network. */
const MIN_PIXELS = 1000;
/** Contrast that is always allowed, in levels: otherwise rounding would freeze flat areas. */
const ALLOWANCE = 0.5;

/** Standard deviation of a blur that removes a region's finest detail, in pixels per softness. */
const FINEST_BLUR = 0.8;

/** Seconds per megapixel of input on two quiet cores; used for progress only. */
const SMALL_SECONDS = 6.7;
export const LARGE_SECONDS = 145;

const LARGE_TILES = { size: 256, feather: 8, context: 2 };
const SMALL_TILES = { size: 320, feather: 8, context: 10 };

/** Reduction of a region for the small network, so that each pixel carries detail. */
export function smallReduction(softness: number): number {
  return Math.max(MIN_REDUCTION, softness);
}

/** 0 for slightly soft regions, whose own detail beats the large network's, 1 for very soft ones. */
export function verySoftFraction(softness: number): number {
  return ramp(softness, SLIGHTLY_SOFT, VERY_SOFT);
}

/** Pixels that the large network gets of a region; 0 where it is skipped. */
function largeInput(region: Size, softness: number, { largePixels: maxPixels }: EnsembleOptions): number {
  if (verySoftFraction(softness) === 0) return 0;
  const real = (region.width * region.height) / Math.max(1, softness) ** 2;
  return real < MIN_PIXELS || real > maxPixels * LARGEST_LOSS ? 0 : Math.min(real, maxPixels);
}

/**
 * The small network's share grows with noise, in levels: at full share a blurred, clean portrait lost 0.01 of
 * similarity.
 */
const CLEAN = { part: 0.4, noise: 0.3, noisy: 1 } as const;

/** Share of each network in the result. */
function sharesOf(region: Size, softness: number, options: EnsembleOptions): { small: number; large: number } {
  const largeShare = options.large * verySoftFraction(softness);
  const large = largeShare >= MIN_LARGE_SHARE && largeInput(region, softness, options) > 0 ? largeShare : 0;
  const small = large > 0 ? options.small : Math.min(0.5, options.small * 1.5);
  return { small: small * softFraction(softness), large };
}

/** Estimated seconds inside the networks. */
export function secondsFor(region: Size, softness: number, options: EnsembleOptions): number {
  const { small, large } = sharesOf(region, softness, options);
  const smallPixels = small > 0 ? (region.width * region.height) / smallReduction(softness) ** 2 : 0;
  const largePixels = large > 0 ? largeInput(region, softness, options) : 0;
  return (smallPixels * SMALL_SECONDS + largePixels * LARGE_SECONDS) / 1e6;
}

/** A region before its networks run. */
export interface EnsembleStart {
  readonly region: Raster;
  readonly softness: number;
  /** Reclaimed without a network, at the region's size and at its real resolution. */
  readonly full: Raster;
  readonly reduced: Raster;
  readonly shares: { readonly small: number; readonly large: number };
}

/**
 * Averages three views of a region: reclaimed without a network, the small network's output for the region, and the
 * large network's for the reclaimed region. Their errors differ and average out; each alone is further from the truth.
 */
export async function restoreEnsemble(
  context: PipelineContext,
  region: Raster,
  assessed: Assessment,
  options: EnsembleOptions,
): Promise<Ensemble> {
  const start = await startEnsemble(context, region, assessed, options);
  return finishEnsemble(context, start, await runLarge(context, start, options), options);
}

/** The part of {@link restoreEnsemble} before its networks. */
export async function startEnsemble(
  context: PipelineContext,
  region: Raster,
  assessed: Assessment,
  options: EnsembleOptions,
): Promise<EnsembleStart> {
  const { softness, noise } = assessed.defects;
  const denoised = await denoise(region, assessed, options.intensity);
  const full = (await options.refine?.(denoised.full)) ?? denoised.full;
  const reduced = options.refine ? full : denoised.reduced;
  // Synchronous code may have held the thread for seconds: handle a cancellation.
  await turn();
  context.signal.throwIfAborted();
  const { small, large } = sharesOf(region, softness, options);
  const clean = CLEAN.part + (1 - CLEAN.part) * ramp(noise, CLEAN.noise, CLEAN.noisy);
  return { region, softness, full, reduced, shares: { small: small * clean, large } };
}

/** The large network's view; null where it is skipped. */
export async function runLarge(
  context: PipelineContext,
  { region, softness, reduced, shares }: EnsembleStart,
  options: EnsembleOptions,
): Promise<Raster | null> {
  if (shares.large === 0) return null;
  const factor = Math.min(1, Math.sqrt(largeInput(region, softness, options) / (reduced.width * reduced.height)));
  const input = await softened(reduced, (options.preBlur * reduced.width) / region.width);
  const share = 1 - smallShareOfTime(region, softness, options);
  return enlargeFrom(context, input, { role: 'restore-face', factor, size: region }, (part) =>
    options.onProgress?.(part * share),
  );
}

/** Runs the small network and lists the views. */
export async function finishEnsemble(
  context: PipelineContext,
  { region, softness, full, shares }: EnsembleStart,
  large: Raster | null,
  options: EnsembleOptions,
): Promise<Ensemble> {
  const layers: Layer[] = [{ raster: full, share: 1 - shares.small - shares.large, limit: null }];
  if (options.texture > 0) {
    layers.push({ raster: region, share: options.texture, limit: null });
    layers.push({ raster: await blur(region, FINEST_BLUR * softness), share: -options.texture, limit: null });
  }
  if (shares.small + shares.large === 0) return { layers, small: null };
  const radius = Math.max(6, softness * 1.5);
  const limit = { maxGain: options.maxGain, allowance: ALLOWANCE, radius, reference: measureContrast(full, radius) };
  let small: Raster | null = null;
  if (shares.small > 0) {
    const enlarging = { role: 'restore-photo', factor: 1 / smallReduction(softness), size: region } as const;
    const share = smallShareOfTime(region, softness, options);
    small =
      options.smallOutput ??
      (await enlargeFrom(context, await softened(region, options.preBlur), enlarging, (part) =>
        options.onProgress?.(1 - share + part * share),
      ));
    layers.push({ raster: small, share: shares.small, limit });
  }
  if (large) layers.push({ raster: large, share: shares.large, limit });
  return { layers, small };
}

/** Share of the time inside the networks, 0..1. */
const smallShareOfTime = (region: Size, softness: number, options: EnsembleOptions): number =>
  secondsFor(region, softness, { ...options, large: 0 }) / secondsFor(region, softness, options);

/** Blurs below a third of a pixel are not worth their time. */
async function softened(raster: Raster, sigma: number): Promise<Raster> {
  return sigma < 1 / 3 ? raster : await blur(raster, sigma);
}

interface Enlarging {
  role: 'restore-face' | 'restore-photo';
  /** Factor by which the source is resized for the network. */
  factor: number;
  /** Size of the result. */
  size: Size;
}

async function enlargeFrom(
  context: PipelineContext,
  source: Raster,
  { role, factor, size }: Enlarging,
  onProgress: (fraction: number) => void,
): Promise<Raster> {
  const width = Math.max(1, Math.round(source.width * factor));
  const height = Math.max(1, Math.round(source.height * factor));
  const session = await context.sessions.get(role);
  const input = await resize(source, width, height, 'cubic');
  const enlarged = session.entry.alignment
    ? await restoreAligned(session, await context.sessions.get('face-mesh'), input)
    : await enlarge(session, input, {
        limits: role === 'restore-face' ? LARGE_TILES : SMALL_TILES,
        signal: context.signal,
        onTile: (done, total) => onProgress(done / total),
      });
  return await resize(enlarged, size.width, size.height, 'cubic');
}
