import { enlarge } from '../../networks/super-resolution.js';
import { boxMean } from '../../rasters/filters.js';
import { luma, type Raster } from '../../rasters/raster.js';
import type { PipelineContext } from '../context/context.js';

export interface DetailOptions {
  /** Pixels per pixel that carries detail. */
  softness: number;
  /** 1 adds what the network predicts; more exaggerates it. */
  amount: number;
  /** Per pixel, 0..1: where `FEATURED` times as much is added (eyes, brows, lips); null for nowhere. */
  features: Float32Array | null;
}

/** The context is all that a pixel of the result depends on: twelve convolutions at half the resolution. */
const TILES = { size: 768, feather: 8, context: 24, multiple: 2 } as const;
/** Seconds per megapixel on two quiet cores; used for progress only. */
export const DETAIL_SECONDS = 0.5;
/**
 * Standard deviation, in pixels per softness, above which the input decides. Without it a mildly degraded face lost
 * .012 of similarity.
 */
const EVIDENCE = 0.5;
/** Eyes, brows and lips gain most by eye, and cost no more similarity than other places. */
const FEATURED = 1.5;

/**
 * Adds the detail that a network predicts for a faithful but soft picture, in place. Only brightness changes, and only
 * at scales that the input does not show: reduced to the input's resolution, the result stays the picture.
 */
export async function addDetail(
  { sessions, signal }: Pick<PipelineContext, 'sessions' | 'signal'>,
  picture: Raster,
  { softness, amount, features }: DetailOptions,
): Promise<void> {
  const { width, height, data } = picture;
  const session = await sessions.get('restore-detail');
  const predicted = luma(await enlarge(session, picture, { limits: TILES, signal }));
  const own = luma(picture);
  const difference = new Float32Array(own.length);
  for (let at = 0; at < own.length; at++) difference[at] = (predicted[at] as number) - (own[at] as number);
  const shown = gaussian(difference, width, height, EVIDENCE * softness);
  const target = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
  for (let at = 0, to = 0; at < own.length; at++, to += 3) {
    const part = amount * (1 + (FEATURED - 1) * (features?.[at] ?? 0));
    const added = part * ((difference[at] as number) - (shown[at] as number));
    target[to] = (data[to] as number) + added;
    target[to + 1] = (data[to + 1] as number) + added;
    target[to + 2] = (data[to + 2] as number) + added;
  }
}

/** Blur of about this standard deviation, by two box means. */
function gaussian(plane: Float32Array, width: number, height: number, sigma: number): Float32Array {
  // Two boxes of side 2r + 1 have the variance ((2r + 1) ** 2 - 1) / 6.
  const radius = Math.max(1, Math.round((Math.sqrt(6 * sigma * sigma + 1) - 1) / 2));
  return boxMean(boxMean(plane, width, height, radius), width, height, radius);
}
