import { createRaster, type Raster } from '../../rasters/raster.js';
import type { PipelineContext } from '../context/context.js';
import {
  type EnsembleOptions,
  finishEnsemble,
  runLarge,
  runSmall,
  secondsFor,
  smallReduction,
  smallShareOfTime,
  startEnsemble,
  usesSmall,
} from '../restoration/ensemble.js';
import { mixLayers } from '../restoration/layers.js';
import { type WorkingCopy, workingCopy } from '../restoration/working-size.js';
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

interface Started {
  readonly share: number;
  readonly copy: WorkingCopy;
  /** Undefined where the small network is skipped. */
  readonly small: Promise<Raster> | undefined;
}

/**
 * Removes noise and artifacts and sharpens as far as the detail allows, at the picture's real resolution and full
 * strength. Sharp, clean pictures stay unchanged.
 */
export class BackgroundRestoration {
  readonly #context: PipelineContext;
  readonly #model: BackgroundModel;
  #starting: Promise<Started | null> | undefined;
  #report: (fraction: number) => void = () => undefined;
  /** Parts of the networks' work, 0..1. */
  readonly #done = { small: 0, large: 0 };

  constructor(context: PipelineContext, model: BackgroundModel) {
    this.#context = context;
    this.#model = model;
  }

  /** Starts the small network, which depends on the original only. */
  begin(): void {
    this.#starting = this.#start();
    // Reported to the one who awaits it, or not needed.
    this.#starting.catch(() => undefined);
  }

  async finish(onProgress: (fraction: number) => void): Promise<void> {
    const context = this.#context;
    this.#report = onProgress;
    if (!this.#starting) this.begin();
    const started = await this.#starting;
    if (!started) return;
    const { share, copy, small } = started;
    const options = { ...this.#optionsFor(copy, 'large'), smallOutput: small };
    const start = await startEnsemble(context, copy.region, copy.assessed, options);
    const running = runLarge(context, start, options);
    // Reported to the one who awaits it.
    running.catch(() => undefined);
    const { assessed } = context;
    // Found while the networks run in their threads.
    const kept = assessed && findSharpParts(context.original, assessed);
    const { layers, small: output } = await finishEnsemble(context, start, running, options);
    if (output) context.cleaned = { raster: output, reduction: smallReduction(assessed?.defects.softness ?? 1) };
    if (copy.reduction === 1) return mixLayers(context.current, layers, share, kept);
    const restored = createRaster(copy.region.width, copy.region.height);
    mixLayers(restored, layers, 1);
    mixLayers(context.current, [{ raster: restored, share: 1, limit: null }], share, kept);
  }

  /** Resolves when nothing runs any more, however it ended. */
  async settled(): Promise<void> {
    const started = await this.#starting?.catch(() => undefined);
    await started?.small?.catch(() => undefined);
  }

  async #start(): Promise<Started | null> {
    const { original, assessed } = this.#context;
    if (!assessed) throw new Error('the picture has not been measured');
    const share = enhancementNeed(assessed.defects);
    if (share <= 0) return null;
    const copy = await workingCopy(original, assessed);
    const { region } = copy;
    const { softness } = copy.assessed.defects;
    const options = this.#optionsFor(copy, 'small');
    if (!usesSmall(region, softness, options)) return { share, copy, small: undefined };
    const small = runSmall(this.#context, { region, softness }, options);
    small.catch(() => undefined);
    return { share, copy, small };
  }

  #optionsFor({ region, assessed }: WorkingCopy, network: 'small' | 'large'): EnsembleOptions {
    const options = MODELS[this.#model];
    const small = smallShareOfTime(region, assessed.defects.softness, options);
    const onProgress = (part: number): void => {
      this.#done[network] = part;
      this.#report(small * this.#done.small + (1 - small) * this.#done.large);
    };
    return { ...options, onProgress };
  }
}
