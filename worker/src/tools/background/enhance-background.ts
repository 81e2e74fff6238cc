import { boxMean } from '../../rasters/filters.js';
import { floatsAt, heap, kernels, reserve, withKernels } from '../../rasters/kernels.js';
import { ramp } from '../../rasters/ramp.js';
import { createRaster, type Raster } from '../../rasters/raster.js';
import { Enlargement } from '../../rasters/resize.js';
import type { Finish, PipelineContext } from '../restoration/context.js';
import { type Assessment, enhancementNeed, softFraction } from '../restoration/denoise.js';
import { type KeepMask, mixLayers } from '../restoration/layers.js';
import { restoreRegion, type WorkingCopy, workingCopy } from '../restoration/restored-region.js';
import { type ByNetwork, type EnsembleOptions, ensembleLayers, planEnsemble, runPhotoNetwork } from './ensemble.js';

type BackgroundModel = 'base' | 'v1';

/** Seconds per megapixel outside the networks. */
const OVERHEAD_SECONDS = 0.2;

/** v1 removes more noise, weights the networks more, and has texture restored in larger and less soft pictures. */
const MODELS: Readonly<Record<BackgroundModel, EnsembleOptions>> = {
  base: {
    intensity: 1,
    maxGain: 1.25,
    photo: 0.33,
    face: 0.5,
    texture: { slightlySoft: 0, verySoft: 0.35, pixels: 40_000 },
  },
  v1: {
    intensity: 1.4,
    maxGain: 1.6,
    photo: 0.35,
    face: 0.6,
    texture: { slightlySoft: 0.55, verySoft: 0.65, pixels: 140_000 },
  },
};

export function secondsForBackground({ original, assessed }: PipelineContext, model: BackgroundModel): number {
  const megapixels = (original.width * original.height) / 1e6;
  const { seconds } = planEnsemble(original, assessed?.defects.softness ?? 1, MODELS[model]);
  return OVERHEAD_SECONDS * megapixels + seconds.photo + seconds.face;
}

/**
 * Removes noise and artifacts and sharpens as far as the detail allows, at the picture's real resolution and full
 * strength. Sharp, clean pictures stay unchanged.
 * @returns after it has started the network for photos, which depends on the original only, what does the rest
 */
export function beginBackground(context: PipelineContext, model: BackgroundModel): Finish {
  let report: (fraction: number) => void = () => undefined;
  const starting = context.beside.add(startBackground(context, MODELS[model], (fraction) => report(fraction)));
  return async (onProgress) => {
    report = onProgress;
    const finish = await starting;
    await finish?.();
  };
}

/** Null for a picture that needs no restoration. */
async function startBackground(
  context: PipelineContext,
  options: EnsembleOptions,
  onProgress: (fraction: number) => void,
): Promise<(() => Promise<void>) | null> {
  const { original, current, assessed, beside } = context;
  if (!assessed) throw new Error('the picture has not been measured');
  const share = enhancementNeed(assessed.defects);
  if (share <= 0) return null;
  const copy = await workingCopy(original, assessed);
  const { region } = copy;
  const { softness } = copy.assessed.defects;
  const plan = planEnsemble(region, softness, options);
  const { shares, seconds } = plan;
  const done = { photo: 0, face: 0 };
  const reporter = (network: keyof ByNetwork) => (part: number) => {
    done[network] = part;
    onProgress((seconds.photo * done.photo + seconds.face * done.face) / (seconds.photo + seconds.face));
  };
  const photo =
    shares.photo > 0
      ? beside.add(runPhotoNetwork(context, region, softness, plan.network, reporter('photo')))
      : undefined;
  return async () => {
    const face = shares.face > 0 ? runFaceNetwork(context, copy, reporter('face')) : undefined;
    // Found while the networks run in their threads.
    const kept = findSharpParts(original, assessed);
    const layers = await ensembleLayers(context, copy, options, plan, { photo, face });
    if (copy.reduction === 1) return mixLayers(current, layers, share, kept);
    const restored = createRaster(region.width, region.height);
    mixLayers(restored, layers, 1);
    mixLayers(current, [{ raster: restored, share: 1, limit: null }], share, kept);
  };
}

function runFaceNetwork(
  context: PipelineContext,
  { region, assessed }: WorkingCopy,
  onProgress: (fraction: number) => void,
): Promise<Raster> | undefined {
  const { sessions, original, restored, beside } = context;
  // A network of aligned faces shows nothing else.
  if (sessions.entryFor('restore-face').alignment) return undefined;
  if (region !== original || !restored) return beside.add(restoreRegion(context, region, assessed, onProgress));
  // The detection of faces in noise has run it.
  sessions.clock.reuse('restore-face');
  return restored;
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
