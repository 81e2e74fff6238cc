import { createRaster, type Raster } from '../../rasters/raster.js';
import type { PipelineContext } from '../restoration/context.js';
import { enhancementNeed } from '../restoration/denoise.js';
import {
  type EnsembleOptions,
  ensembleLayers,
  runFaceNetwork,
  runPhotoNetwork,
  secondsFor,
  usesPhotoNetwork,
} from '../restoration/ensemble.js';
import { mixLayers } from '../restoration/layers.js';
import { type WorkingCopy, workingCopy } from '../restoration/working-size.js';
import { findSharpParts } from './sharp-parts.js';

/** `enlarged` restores detail of an enlarged picture and leaves most of its noise. */
type BackgroundModel = 'base' | 'v1' | 'enlarged';

/** Seconds per megapixel outside the networks. */
const OVERHEAD_SECONDS = 0.2;

const BASE: EnsembleOptions = { intensity: 1, maxGain: 1.25, photo: 0.33, face: 0.5 };

/** v1 removes more noise and weights the networks more. */
const MODELS: Readonly<Record<BackgroundModel, EnsembleOptions>> = {
  base: BASE,
  v1: { intensity: 1.4, maxGain: 1.6, photo: 0.35, face: 0.6 },
  enlarged: { ...BASE, intensity: 0.5 },
};

export function secondsForBackground({ original, assessed }: PipelineContext, model: BackgroundModel): number {
  const megapixels = (original.width * original.height) / 1e6;
  const { photo, face } = secondsFor(original, assessed?.defects.softness ?? 1, MODELS[model]);
  return OVERHEAD_SECONDS * megapixels + photo + face;
}

interface Started {
  readonly share: number;
  readonly copy: WorkingCopy;
  /** Undefined where the network is skipped. */
  readonly photo: Promise<Raster> | undefined;
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
  readonly #done = { photo: 0, face: 0 };

  constructor(context: PipelineContext, model: BackgroundModel) {
    this.#context = context;
    this.#model = model;
  }

  /** Starts the network for photos, which depends on the original only. */
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
    const { share, copy, photo } = started;
    const options = this.#optionsFor(copy, 'face');
    const face = runFaceNetwork(context, copy.region, copy.assessed, options);
    // Reported to the one who awaits it.
    face.catch(() => undefined);
    const { assessed } = context;
    // Found while the networks run in their threads.
    const kept = assessed && findSharpParts(context.original, assessed);
    const layers = await ensembleLayers(context, copy.region, copy.assessed, options, { photo, face });
    if (copy.reduction === 1) return mixLayers(context.current, layers, share, kept);
    const restored = createRaster(copy.region.width, copy.region.height);
    mixLayers(restored, layers, 1);
    mixLayers(context.current, [{ raster: restored, share: 1, limit: null }], share, kept);
  }

  /** Resolves when nothing runs any more, however it ended. */
  async settled(): Promise<void> {
    const started = await this.#starting?.catch(() => undefined);
    await started?.photo?.catch(() => undefined);
  }

  async #start(): Promise<Started | null> {
    const { original, assessed } = this.#context;
    if (!assessed) throw new Error('the picture has not been measured');
    const share = enhancementNeed(assessed.defects);
    if (share <= 0) return null;
    const copy = await workingCopy(original, assessed);
    const { region } = copy;
    const { softness } = copy.assessed.defects;
    const options = this.#optionsFor(copy, 'photo');
    if (!usesPhotoNetwork(region, softness, options)) return { share, copy, photo: undefined };
    const photo = runPhotoNetwork(this.#context, region, softness, options);
    photo.catch(() => undefined);
    return { share, copy, photo };
  }

  #optionsFor({ region, assessed }: WorkingCopy, network: 'photo' | 'face'): EnsembleOptions {
    const options = MODELS[this.#model];
    const { photo, face } = secondsFor(region, assessed.defects.softness, options);
    const onProgress = (part: number): void => {
      this.#done[network] = part;
      this.#report((photo * this.#done.photo + face * this.#done.face) / (photo + face));
    };
    return { ...options, onProgress };
  }
}
