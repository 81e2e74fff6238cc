import { enlarge } from '../../networks/super-resolution.js';
import { soften } from '../../rasters/filters.js';
import { luma, type Raster } from '../../rasters/raster.js';
import type { PipelineContext } from './context.js';

export interface DetailOptions {
  softness: number;
  /** 1 adds what the network predicts; more exaggerates it. */
  amount: number;
  /** How much of the picture's own finest contrast is added, 0..1. */
  clarity: number;
  /** Per pixel, 0..1: where `FEATURED` times as much is added (eyes, brows, lips); null for nowhere. */
  features: Float32Array | null;
}

/** The context is all that a pixel of the result depends on: twelve convolutions at half the resolution. */
const TILES = { size: 768, feather: 8, context: 24, multiple: 2 } as const;
/** Seconds per megapixel on two quiet cores; used for progress only. */
export const DETAIL_SECONDS = 0.5;
/**
 * Standard deviation, in pixels per softness, above which the input decides. Above it, predictions change who is recognized:
 * at .57 the faces of mild cases came .01 further from the person for the same sharpness.
 */
const EVIDENCE = 0.33;
/** Standard deviation, in pixels per softness, of the scales that `clarity` raises. */
const SHOWN = 0.75;
/**
 * Levels below which more is added, up to `most` times as much in black: dark skin is rare in the network's training.
 */
const DARK = { below: 128, most: 1.4 } as const;
/** Eyes, brows and lips gain most by eye, and cost no more similarity than other places. */
const FEATURED = 1.5;

/**
 * Adds the detail that a network predicts for a faithful but soft picture, in place, at scales that the input does not
 * show; where scales meet, raises the picture's own contrast. Only brightness changes, and reduced to the input's
 * resolution the result stays nearly the picture.
 */
export async function addDetail(
  { sessions, signal }: Pick<PipelineContext, 'sessions' | 'signal'>,
  picture: Raster,
  { softness, amount, clarity, features }: DetailOptions,
): Promise<void> {
  const { width, height, data } = picture;
  const session = await sessions.get('restore-detail');
  const predicted = luma(await enlarge(session, picture, { limits: TILES, signal }));
  const own = luma(picture);
  const difference = new Float32Array(own.length);
  for (let at = 0; at < own.length; at++) difference[at] = (predicted[at] as number) - (own[at] as number);
  const shown = soften(difference, width, height, EVIDENCE * softness);
  const coarse = soften(own, width, height, SHOWN * softness);
  const target = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
  for (let at = 0, to = 0; at < own.length; at++, to += 3) {
    const mean = coarse[at] as number;
    const darkness = Math.max(0, 1 - mean / DARK.below);
    const part = amount * (1 + (FEATURED - 1) * (features?.[at] ?? 0)) * (1 + (DARK.most - 1) * darkness);
    const predictedDetail = (difference[at] as number) - (shown[at] as number);
    const added = part * predictedDetail + clarity * ((own[at] as number) - mean);
    target[to] = (data[to] as number) + added;
    target[to + 1] = (data[to + 1] as number) + added;
    target[to + 2] = (data[to + 2] as number) + added;
  }
}
