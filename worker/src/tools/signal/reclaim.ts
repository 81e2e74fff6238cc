import { halve, stretch } from '../../rasters/filters.js';
import { fromPlanes, type Planes, toPlanes } from '../../rasters/planes.js';
import { ramp } from '../../rasters/ramp.js';
import { type Raster, resize } from '../../rasters/raster.js';
import { BLOCK } from './block-transform.js';
import { measureBlockiness, measureNoise } from './noise.js';
import { shrink } from './shrink.js';

/** What is wrong with a picture, beside being {@link Detail.softness | soft}. */
export interface Damage {
  softness: number;
  /** Standard deviation in levels, at the resolution that the picture really has. */
  noise: number;
  /** See `measureBlockiness`. */
  blockiness: number;
}

/** What can be had from a picture without inventing anything: noise taken out, blur taken back. */
export interface Reclaimed {
  /** Of the size of the picture that was given. */
  full: Raster;
  /** The same at the resolution that the picture really has. */
  reduced: Raster;
}

/** A picture at its real resolution, and what is wrong with it there. */
export interface Assessed {
  planes: Planes;
  damage: Damage;
}

/** From this softness to the second a picture passes from sharp to soft. */
const SHARP = 1.1;
const SOFT = 1.4;
/** A little less than all of it is reduced, so that resampling costs no detail. */
const REDUCTION = 0.9;
/** From here on a caller's smaller reduction is not followed: noise is as coarse as detail there and would pass for it. */
const HEAVY = { from: 4.5, to: 6.5 } as const;
/** Blur that is left at the real resolution, as the standard deviation of a Gaussian in its pixels. */
const REST_OF_BLUR = 0.6;
/** Sharpening stops where noise, as a part of the picture's contrast, would come back; more noise, less of it. */
const CLEAN_LIMIT = 0.04;
const LIMIT_PER_NOISE = 0.012;
/** Noise that blocks of JPEG amount to, in levels for a level of blockiness. */
const NOISE_PER_BLOCKINESS = 1.5;
/** More than this would take the picture with it. */
const MOST_NOISE = 14;
/** Colour is seen coarsely, so much more of its noise can go. */
const COLOUR_NOISE = 2.2;
const MOST_COLOUR_NOISE = 18;
/** Large pictures get coarser steps: they have pixels enough. */
const FINE_PIXELS = 500_000;

/** 0 for a sharp picture, 1 for a soft one. */
export function softPart(softness: number): number {
  return ramp(softness, SHARP, SOFT);
}

/** Brings a picture to its real resolution and measures noise and blocks. */
export async function assess(picture: Raster, softness: number, reduction = REDUCTION): Promise<Assessed> {
  const factor = Math.max(1, softness * (reduction + (REDUCTION - reduction) * ramp(softness, HEAVY.from, HEAVY.to)));
  const width = Math.max(1, Math.round(picture.width / factor));
  const height = Math.max(1, Math.round(picture.height / factor));
  const planes = toPlanes(await resize(picture, width, height, 'lanczos3'));
  const noise = measureNoise(planes.luma, width, height, softPart(softness));
  // A resized picture has lost its blocks' grid.
  const blockiness = factor === 1 ? measureBlockiness(planes.luma, width, height) : 0;
  return { planes, damage: { softness, noise, blockiness } };
}

/** `vigour` scales the noise that is taken out and the sharpening; 1 is right for structural similarity. */
export async function reclaim(picture: Raster, { planes, damage }: Assessed, vigour = 1): Promise<Reclaimed> {
  const { width, height } = planes;
  const amount = damage.noise + NOISE_PER_BLOCKINESS * damage.blockiness;
  const noise = Math.min(MOST_NOISE, vigour * amount);
  const colourNoise = Math.min(MOST_COLOUR_NOISE, Math.max(1, vigour) * amount * COLOUR_NOISE);
  const step = width * height > FINE_PIXELS ? 4 : 3;
  const gain = softPart(damage.softness) > 0 ? sharpening(damage, vigour) : undefined;
  const colour = (plane: Float32Array) => shrinkColour(plane, width, height, colourNoise);
  const blueDifference = colour(planes.blueDifference);
  const redDifference = colour(planes.redDifference);
  const luma = shrink(planes.luma, width, height, { noise, gain, step });
  const reduced = fromPlanes({ width, height, luma, blueDifference, redDifference });
  return { reduced, full: await resize(reduced, picture.width, picture.height, 'lanczos3') };
}

/** Colour at half the resolution: blocks reach twice as far, and it takes a quarter of the time. */
function shrinkColour(plane: Float32Array, width: number, height: number, noise: number): Float32Array {
  if (noise <= 0) return plane;
  const half = halve(plane, width, height);
  const shrunk = shrink(half.plane, half.width, half.height, { noise: noise / 2, step: 3 });
  return stretch(shrunk, half.width, half.height, width, height, 2);
}

/** Wiener's gain for a Gaussian blur, for each coefficient of a block. */
function sharpening({ softness, noise }: Damage, vigour: number): Float64Array {
  const sigma = REST_OF_BLUR * softPart(softness);
  const limit = (CLEAN_LIMIT + LIMIT_PER_NOISE * noise) / vigour;
  return Float64Array.from({ length: BLOCK * BLOCK }, (_, at) => {
    const frequency = Math.hypot(Math.floor(at / BLOCK), at % BLOCK) / (2 * BLOCK);
    const passed = Math.exp(-2 * (Math.PI * frequency * sigma) ** 2);
    return (passed * (1 + limit)) / (passed ** 2 + limit);
  });
}
