import { resize } from '../ai/raster.js';
import { enlarge } from '../ai/super-resolution.js';
import { mixInto } from './blend.js';
import type { Work } from './context.js';
import { limitGain } from './gain-limiter.js';

export interface BackgroundOptions {
  model: 'base' | 'v1';
  /** 0..1. */
  strength: number;
}

/** Seconds that the network takes for a megapixel of its input on two cores; only for sharing out progress. */
export const SECONDS_PER_MEGAPIXEL = 6.7;

const TILES = { size: 320, feather: 8, context: 10 };

/** The picture is reduced at least this far: finer would take too long, and what is sharp already needs no help. */
const LEAST_REDUCTION = 2;

/** What the two models allow: v1 takes more of the network's result. */
const MODELS = {
  base: { maxGain: 1.25, allowance: 0.5 },
  v1: { maxGain: 1.5, allowance: 0.5 },
} as const;

/** How far the picture is reduced before the network sees it, so that each of its pixels carries detail. */
export function backgroundReduction(softness: number): number {
  return Math.max(LEAST_REDUCTION, softness);
}

/**
 * Cleans noise and compression from the whole picture and sharpens it as far as it has detail to sharpen. Works at
 * the resolution the picture really has; a sharp picture is hardly touched.
 */
export async function enhanceBackground(
  work: Work,
  options: BackgroundOptions,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const share = options.strength * backgroundShare(work.softness);
  if (share <= 0) return;
  const { width, height } = work.original;
  const reduction = backgroundReduction(work.softness);
  const reduced = await resize(
    work.original,
    Math.max(1, Math.round(width / reduction)),
    Math.max(1, Math.round(height / reduction)),
    'cubic',
  );
  const session = await work.sessions.get('restore-photo');
  const enlarged = await enlarge(session, reduced, {
    limits: TILES,
    signal: work.signal,
    onTile: (done, total) => onProgress(done / total),
  });
  const cleaned = await resize(enlarged, width, height, 'cubic');
  work.cleaned = { raster: cleaned, reduction };
  const result = { width, height, data: Uint8Array.from(cleaned.data) };
  limitGain(result, work.original, { ...MODELS[options.model], radius: limiterRadius(work.softness) });
  mixInto(work.current, result, share);
}

/** Six pixels, more where the picture is so soft that six pixels are one detail. */
function limiterRadius(softness: number): number {
  return Math.max(6, softness * 1.5);
}

/**
 * How much of the network's picture is taken. Below the reduction it works at, the original knows more than the
 * network does.
 */
function backgroundShare(softness: number): number {
  for (const [index, [to, share]] of SHARES.entries()) {
    if (softness > to) continue;
    const [from, below] = SHARES[index - 1] ?? [0, share];
    return below + ((share - below) * (softness - from)) / (to - from);
  }
  return SHARES.at(-1)?.[1] ?? 0;
}

/** Softness and share, chosen by structural similarity on degraded portraits; linear between. */
const SHARES: readonly (readonly [number, number])[] = [
  [1.2, 0.15],
  [2.2, 0.45],
  [3.2, 0.85],
];
