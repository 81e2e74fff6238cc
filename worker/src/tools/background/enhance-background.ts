import { createRaster } from '../../rasters/raster.js';
import type { PipelineContext } from '../context/context.js';
import { type EnsembleOptions, restoreEnsemble, secondsFor, smallReduction } from '../restoration/ensemble.js';
import { mixLayers } from '../restoration/layers.js';
import { workingCopy } from '../restoration/working-size.js';
import { enhancementNeed } from '../signal/denoise.js';
import { findSharpParts } from './sharp-parts.js';

/** `enlarged` restores detail of an enlarged picture and leaves most of its noise. */
export type BackgroundModel = 'base' | 'v1' | 'enlarged';

/** Seconds per megapixel outside the networks. */
const OVERHEAD_SECONDS = 0.2;

const BASE: EnsembleOptions = {
  intensity: 1,
  maxGain: 1.25,
  small: 0.33,
  large: 0.33,
  largePixels: 16_000,
  preBlur: 0,
  texture: 0,
};

/** v1 removes more noise and weights the networks more. */
const MODELS: Readonly<Record<BackgroundModel, EnsembleOptions>> = {
  base: BASE,
  v1: { intensity: 1.4, maxGain: 1.6, small: 0.4, large: 0.4, largePixels: 16_000, preBlur: 0, texture: 0 },
  enlarged: { ...BASE, intensity: 0.5 },
};

export function secondsForBackground({ original, assessed }: PipelineContext, model: BackgroundModel): number {
  const megapixels = (original.width * original.height) / 1e6;
  return OVERHEAD_SECONDS * megapixels + secondsFor(original, assessed?.defects.softness ?? 1, MODELS[model]);
}

/**
 * Removes noise and compression artifacts and sharpens as far as the detail allows, at the picture's real resolution.
 * Sharp, clean pictures stay unchanged. At full strength.
 */
export async function enhanceBackground(
  context: PipelineContext,
  model: BackgroundModel,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { assessed } = context;
  if (!assessed) throw new Error('the picture has not been measured');
  const share = enhancementNeed(assessed.defects);
  if (share <= 0) return;
  const copy = await workingCopy(context.original, assessed);
  const { width, height } = copy.region;
  const { layers, small } = await restoreEnsemble(context, copy.region, copy.assessed, {
    ...MODELS[model],
    onProgress,
  });
  if (small) context.cleaned = { raster: small, reduction: smallReduction(assessed.defects.softness) };
  const kept = findSharpParts(context.original, assessed);
  if (copy.reduction === 1) return mixLayers(context.current, layers, share, kept);
  const restored = createRaster(width, height);
  mixLayers(restored, layers, 1);
  mixLayers(context.current, [{ raster: restored, share: 1, limit: null }], share, kept);
}
