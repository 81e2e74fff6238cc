import { halve } from '../../rasters/filters.js';
import { ramp } from '../../rasters/ramp.js';
import type { Raster } from '../../rasters/raster.js';
import { fromPlanes, type Planes, toPlanes } from '../../rasters/raster.js';
import { resize } from '../../rasters/resize.js';
import { resizePlane } from '../../rasters/row-sampler.js';
import { BLOCK, shrinkCoefficients } from './dct-shrinkage.js';
import { measureBlockiness, measureNoise } from './noise.js';

/** Defects at the picture's real resolution. */
interface Defects {
  softness: number;
  /** Standard deviation in levels. */
  noise: number;
  blockiness: number;
}

export interface Assessment {
  planes: Planes;
  defects: Defects;
}

/** Softness from sharp to soft. */
const SHARP = 1.1;
const SOFT = 1.4;
/** Below the measured softness, so that resampling loses no detail. */
const REDUCTION = 0.9;
/** Range in which a caller's smaller reduction is ignored: noise as coarse as detail would look like it. */
const HEAVY = { from: 4.5, to: 6.5 } as const;
/** Gaussian blur left at the real resolution, in its pixels. */
const RESIDUAL_BLUR = 0.6;
/** Limits sharpening where noise would return; grows with the noise. */
const CLEAN_LIMIT = 0.04;
const LIMIT_PER_NOISE = 0.012;
/** Noise equivalent of blockiness, in levels. */
const NOISE_PER_BLOCKINESS = 1.5;
/** More would remove texture. */
const MAX_NOISE = 14;
/** Coarser to the eye, so more noise can go. */
const COLOR_NOISE = 2.2;
const MAX_COLOR_NOISE = 18;
/** Larger pictures use fewer blocks. */
const FINE_PIXELS = 500_000;

/** 0 sharp, 1 soft. */
export function softFraction(softness: number): number {
  return ramp(softness, SHARP, SOFT);
}

/** In levels, where enhancement starts and is complete. JPEG of quality 80 measures up to 0.9. */
const NOISE_RANGE = { from: 1, to: 2.5 } as const;
const BLOCKINESS_RANGE = { from: 0.95, to: 1.6 } as const;

/** Returns 0 (sharp and clean) to 1. */
export function enhancementNeed({ softness, noise, blockiness }: Defects): number {
  return Math.max(
    softFraction(softness),
    ramp(noise, NOISE_RANGE.from, NOISE_RANGE.to),
    ramp(blockiness, BLOCKINESS_RANGE.from, BLOCKINESS_RANGE.to),
  );
}

export async function assess(picture: Raster, softness: number, reduction = REDUCTION): Promise<Assessment> {
  const factor = Math.max(1, softness * (reduction + (REDUCTION - reduction) * ramp(softness, HEAVY.from, HEAVY.to)));
  const width = Math.max(1, Math.round(picture.width / factor));
  const height = Math.max(1, Math.round(picture.height / factor));
  const planes = toPlanes(await resize(picture, width, height, 'lanczos3'));
  const noise = measureNoise(planes.luma, width, height, softFraction(softness));
  // Resizing destroys the block grid.
  const blockiness = factor === 1 ? measureBlockiness(planes.luma, width, height) : 0;
  return { planes, defects: { softness, noise, blockiness } };
}

/**
 * The picture without noise and blur, and without generated detail. `intensity` scales denoising and sharpening; 1 is
 * best for structural similarity.
 */
export async function denoise(picture: Raster, { planes, defects }: Assessment, intensity = 1): Promise<Raster> {
  const { width, height } = planes;
  const amount = defects.noise + NOISE_PER_BLOCKINESS * defects.blockiness;
  const noise = Math.min(MAX_NOISE, intensity * amount);
  const colorNoise = Math.min(MAX_COLOR_NOISE, Math.max(1, intensity) * amount * COLOR_NOISE);
  const step = width * height > FINE_PIXELS ? 4 : 3;
  const gain = softFraction(defects.softness) > 0 ? sharpening(defects, intensity) : undefined;
  const color = (plane: Float32Array) => shrinkColor(plane, width, height, colorNoise);
  const blueDifference = color(planes.blueDifference);
  const redDifference = color(planes.redDifference);
  const luma = shrinkCoefficients(planes.luma, width, height, { noise, gain, step });
  const reduced = fromPlanes({ width, height, luma, blueDifference, redDifference });
  return resize(reduced, picture.width, picture.height, 'lanczos3');
}

/** Half the resolution: twice the reach in a quarter of the time. */
function shrinkColor(plane: Float32Array, width: number, height: number, noise: number): Float32Array {
  if (noise <= 0) return plane;
  const half = halve({ width, height, data: plane });
  const data = shrinkCoefficients(half.data, half.width, half.height, { noise: noise / 2, step: 3 });
  return resizePlane({ ...half, data }, width, height, { width: 2 * half.width, height: 2 * half.height }).data;
}

/** Wiener gain against a Gaussian blur, per coefficient. */
function sharpening({ softness, noise }: Defects, intensity: number): Float64Array {
  const sigma = RESIDUAL_BLUR * softFraction(softness);
  const limit = (CLEAN_LIMIT + LIMIT_PER_NOISE * noise) / intensity;
  return Float64Array.from({ length: BLOCK * BLOCK }, (_, at) => {
    const frequency = Math.hypot(Math.floor(at / BLOCK), at % BLOCK) / (2 * BLOCK);
    const passed = Math.exp(-2 * (Math.PI * frequency * sigma) ** 2);
    return (passed * (1 + limit)) / (passed ** 2 + limit);
  });
}
