import { boxMean } from '../../rasters/filters.js';
import { floatsAt, heap, kernels, reserve, withKernels } from '../../rasters/kernels.js';
import { ramp } from '../../rasters/ramp.js';
import { createRaster, type Raster } from '../../rasters/raster.js';
import { Enlargement } from '../../rasters/resize.js';
import type { PipelineContext } from '../restoration/context.js';
import { type Assessment, enhancementNeed, softFraction } from '../restoration/denoise.js';
import {
  type EnsembleOptions,
  ensembleLayers,
  runFaceNetwork,
  runPhotoNetwork,
  secondsFor,
  usesPhotoNetwork,
} from '../restoration/ensemble.js';
import { type KeepMask, mixLayers } from '../restoration/layers.js';
import { type WorkingCopy, workingCopy } from '../restoration/restored-region.js';

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

/** Side in pixels, also in the kernel. */
const SQUARE = 8;
/** Detail finer than the real resolution, in levels, from which a square is kept partly and fully. */
const SHARP_LEVELS = { from: 3.5, to: 7 } as const;
/** Pixels from which every second row shows enough. */
const LARGE_PIXELS = 4_000_000;
/** The calmest tenth shows the noise; slightly more may be noise too. */
const CALM_SHARE = 0.1;
const NOISE_MARGIN = 2;

/**
 * Sharp parts of a soft picture, such as a face before a blurred background, to be kept. Null if there are none, or if
 * full resolution loses nothing.
 */
function findSharpParts(original: Raster, { planes, defects }: Assessment): KeepMask | null {
  if (softFraction(defects.softness) === 0 || planes.width === original.width) return null;
  const columns = Math.ceil(original.width / SQUARE);
  const lost = withKernels(() => lostEnergy(original, planes));
  const energy = boxMean(lost, columns, Math.ceil(original.height / SQUARE), 2);
  const floor = NOISE_MARGIN * (energy.toSorted()[Math.floor(energy.length * CALM_SHARE)] ?? 0);
  const sharp = energy.map((value) => ramp(Math.sqrt(Math.max(0, value - floor)), SHARP_LEVELS.from, SHARP_LEVELS.to));
  if (!sharp.some((value) => value > 0)) return null;
  const rows = sharp.length / columns;
  return { width: columns, height: rows, side: SQUARE, data: boxMean(sharp, columns, rows, 1) };
}

/** Mean square of luma lost by the reduction, per square. Within {@link withKernels}. */
function lostEnergy({ width, height, data }: Raster, planes: Assessment['planes']): Float32Array {
  const columns = Math.ceil(width / SQUARE);
  const sums = new Float32Array(columns * Math.ceil(height / SQUARE));
  const counts = new Float32Array(sums.length);
  const without = new Enlargement({ ...planes, data: planes.luma }, 1, width, height);
  const step = width * height < LARGE_PIXELS ? 1 : 2;
  const [pixels, found] = [reserve(3 * width), reserve(4 * columns)];
  for (let y = 0; y < height; y += step) {
    const row = Math.floor(y / SQUARE) * columns;
    heap.bytes.set(data.subarray(y * width * 3, (y + 1) * width * 3), pixels);
    kernels.sumLost(pixels, without.mix(y), found, width);
    for (const [column, sum] of floatsAt(found, columns).entries()) {
      sums[row + column] = (sums[row + column] as number) + sum;
      counts[row + column] = (counts[row + column] as number) + Math.min(SQUARE, width - column * SQUARE);
    }
  }
  return sums.map((sum, square) => sum / (counts[square] ?? 1));
}
