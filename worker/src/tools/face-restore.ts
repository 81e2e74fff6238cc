import { type Box, blur, crop as cut, type Raster, resize } from '../ai/raster.js';
import { enlarge } from '../ai/super-resolution.js';
import type { Work } from './context.js';

export interface FaceModel {
  /** Longest side in pixels that the large network is given. */
  longestSide: number;
  /** Standard deviation in pixels of a Gaussian blur over the crop before any network sees it; 0 for none. */
  preBlur: number;
  /** How much of the networks' finest detail is taken, 0..1. */
  texture: number;
}

/**
 * The large network is given its longest side even when the crop has up to this many times more detail; beyond,
 * it would throw away more than it restores and the small network, which takes any size, works alone.
 */
const LARGEST_LOSS = 1.4;
/** Fewer real pixels than this across the crop show the large network no face. */
const SMALLEST_CROP = 40;
/** The small network sharpens edges and cleans; two networks with different faults average them out. */
const LARGE_SHARE = 0.5;
/**
 * How the original and the networks share a face. The networks draw convincing fine detail but also move shadows
 * about, and that makes another person of a face: so the original keeps everything coarser than `crossover` times
 * its finest real detail. Where it is only a little soft it keeps part of its own fine detail too, crispened.
 * Chosen by structural similarity and by the distance of a recognition network on degraded portraits.
 */
interface Sharing {
  crossover: number;
  /** Part of the fine detail that comes from the networks, 0..1. */
  networks: number;
}

const LITTLE_SOFT: Sharing & { softness: number } = { softness: 2.2, crossover: 0.4, networks: 0.5 };
const VERY_SOFT: Sharing & { softness: number } = { softness: 3.2, crossover: 0.7, networks: 1 };
/** Gain of the crispening and its radius in finest details. */
const CRISP = { gain: 0.3, radius: 0.8 } as const;

function sharingAt(softness: number): Sharing {
  const part = (softness - LITTLE_SOFT.softness) / (VERY_SOFT.softness - LITTLE_SOFT.softness);
  const between = (from: number, to: number) => from + (to - from) * Math.max(0, Math.min(1, part));
  return {
    crossover: between(LITTLE_SOFT.crossover, VERY_SOFT.crossover),
    networks: between(LITTLE_SOFT.networks, VERY_SOFT.networks),
  };
}

/** The small network sees at most this many pixels of a face and never more than every second one: it takes 7 s a megapixel. */
const MOST_SMALL_PIXELS = 250_000;
const LEAST_REDUCTION = 2;
/** The whole picture's result serves a face too when its reduction suits the face this nearly. */
const NEAR = 1.5;

const LARGE_TILES = { size: 256, feather: 8, context: 2 };
const SMALL_TILES = { size: 320, feather: 8, context: 10 };

/** The pixels of its input that each network gets for a crop. */
export interface RestorePlan {
  /** Reduction before the small network. */
  small: number;
  /** Reduction before the large network, or null where it is left out. */
  large: number | null;
}

export function planRestore(crop: { width: number; height: number }, softness: number, model: FaceModel): RestorePlan {
  const longest = Math.max(crop.width, crop.height);
  const real = longest / softness;
  const suits = real >= SMALLEST_CROP && real <= model.longestSide * LARGEST_LOSS;
  const affordable = Math.sqrt((crop.width * crop.height) / MOST_SMALL_PIXELS);
  const small = Math.max(softness, LEAST_REDUCTION, affordable);
  return { small, large: suits ? Math.max(softness, longest / model.longestSide) : null };
}

/**
 * Restores one region of the original at the resolution it really has: what the networks agree on as fine detail,
 * over the original's own light and shade. `trust` (0..1) scales the networks' part.
 */
export async function restoreRegion(
  work: Work,
  at: Box,
  softness: number,
  model: FaceModel,
  trust: number,
): Promise<Raster> {
  const crop = cut(work.original, at);
  const plan = planRestore(crop, softness, model);
  const source = model.preBlur > 0 ? await blur(crop, model.preBlur) : crop;
  const small = reusable(work, at, plan, model) ?? (await enlargeAt(work, 'restore-photo', source, plan.small));
  const large = plan.large === null ? null : await enlargeAt(work, 'restore-face', source, plan.large);
  const detail = large
    ? combine([
        [small, 1 - LARGE_SHARE],
        [large, LARGE_SHARE],
      ])
    : small;
  const { crossover, networks } = sharingAt(softness);
  const sigma = crossover * softness;
  return combine([
    [crop, (1 - networks) * (1 + CRISP.gain)],
    [await blur(crop, CRISP.radius * softness), -(1 - networks) * CRISP.gain],
    [await blur(crop, sigma), networks],
    [detail, networks * model.texture * trust],
    [await blur(detail, sigma), -networks * model.texture * trust],
  ]);
}

/** The background step's own result, when it looked about as closely as this face needs. */
function reusable(work: Work, at: Box, plan: RestorePlan, model: FaceModel): Raster | null {
  if (!work.cleaned || model.preBlur > 0) return null;
  const ratio = work.cleaned.reduction / plan.small;
  return ratio < NEAR && ratio > 1 / NEAR ? cut(work.cleaned.raster, at) : null;
}

async function enlargeAt(
  work: Work,
  role: 'restore-face' | 'restore-photo',
  crop: Raster,
  reduction: number,
): Promise<Raster> {
  const session = await work.sessions.get(role);
  const width = Math.max(8, Math.round(crop.width / reduction));
  const height = Math.max(8, Math.round(crop.height / reduction));
  const limits = role === 'restore-face' ? LARGE_TILES : SMALL_TILES;
  const enlarged = await enlarge(session, await resize(crop, width, height, 'cubic'), { limits, signal: work.signal });
  return await resize(enlarged, crop.width, crop.height, 'cubic');
}

/** The weighted sum of pictures of one size. */
function combine(terms: readonly (readonly [Raster, number])[]): Raster {
  const [first] = terms;
  if (!first) throw new Error('Nothing to combine');
  const sum = new Float32Array(first[0].data.length);
  for (const [{ data }, weight] of terms) {
    if (weight === 0) continue;
    for (let index = 0; index < sum.length; index++) sum[index] = (sum[index] ?? 0) + weight * (data[index] ?? 0);
  }
  const { width, height } = first[0];
  return { width, height, data: new Uint8Array(Uint8ClampedArray.from(sum).buffer) };
}
