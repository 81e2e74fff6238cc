import { setImmediate as turn } from 'node:timers/promises';
import { ramp } from '../../rasters/ramp.js';
import { type Box, blur, type Raster } from '../../rasters/raster.js';
import type { PipelineContext } from '../context/context.js';
import { type Assessment, denoise, softFraction } from '../signal/denoise.js';
import { enlargeFrom, softened } from './enlarge-region.js';
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
  /** Part of the region that the large network sees, in fractions of its sides; absent: all. */
  largePart?: Box | undefined;
  /** Standard deviation, in the region's pixels, of a Gaussian blur before the networks; 0 for none. */
  preBlur: number;
  /** How much of the region's own finest detail is added to the result, 0..1. */
  texture: number;
  /** The small network's output for this region, if it ran or runs already. */
  smallOutput?: Raster | Promise<Raster> | undefined;
  /** Improves the denoised region before the large network sees it. */
  refine?: ((full: Raster) => Promise<Raster>) | undefined;
  onProgress?(fraction: number): void;
}

interface Size {
  width: number;
  height: number;
}

export interface Ensemble {
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
const SMALL_SECONDS = 1.7;
export const LARGE_SECONDS = 52;

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

export interface EnsembleStart {
  readonly region: Raster;
  readonly softness: number;
  /** Reclaimed without a network, at the region's size and at its real resolution. */
  readonly full: Raster;
  readonly reduced: Raster;
  readonly shares: { readonly small: number; readonly large: number };
}

/**
 * Before the networks. The result averages three views of the region: reclaimed without a network, the small network's
 * output for the region, and the large network's for the reclaimed region. Their errors average out.
 */
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
  const enlarging = { role: 'restore-face', factor, size: region, part: options.largePart } as const;
  return enlargeFrom(context, input, enlarging, (part) => options.onProgress?.(part));
}

export const usesSmall = (region: Size, softness: number, options: EnsembleOptions): boolean =>
  sharesOf(region, softness, options).small > 0;

/** The small network's view, which depends on the region as it is. */
export async function runSmall(
  context: PipelineContext,
  { region, softness }: Pick<EnsembleStart, 'region' | 'softness'>,
  options: EnsembleOptions,
): Promise<Raster> {
  const enlarging = { role: 'restore-photo', factor: 1 / smallReduction(softness), size: region } as const;
  const source = await softened(region, options.preBlur);
  return enlargeFrom(context, source, enlarging, (part) => options.onProgress?.(part));
}

/** @param running the large network's view, for which nothing else waits */
export async function finishEnsemble(
  context: PipelineContext,
  start: EnsembleStart,
  running: Promise<Raster | null>,
  options: EnsembleOptions,
): Promise<Ensemble> {
  const { region, softness, full, shares } = start;
  const layers: Layer[] = [{ raster: full, share: 1 - shares.small - shares.large, limit: null }];
  if (options.texture > 0) {
    layers.push({ raster: region, share: options.texture, limit: null });
    layers.push({ raster: await blur(region, FINEST_BLUR * softness), share: -options.texture, limit: null });
  }
  if (shares.small + shares.large === 0) return { layers, small: null };
  const radius = Math.max(6, softness * 1.5);
  const limit = { maxGain: options.maxGain, allowance: ALLOWANCE, radius, reference: measureContrast(full, radius) };
  const small = shares.small > 0 ? await (options.smallOutput ?? runSmall(context, start, options)) : null;
  if (small) layers.push({ raster: small, share: shares.small, limit });
  const large = await running;
  if (large) layers.push({ raster: large, share: shares.large, limit });
  return { layers, small };
}

/** Share of the time inside the networks, 0..1. */
export const smallShareOfTime = (region: Size, softness: number, options: EnsembleOptions): number =>
  secondsFor(region, softness, { ...options, large: 0 }) / secondsFor(region, softness, options);
