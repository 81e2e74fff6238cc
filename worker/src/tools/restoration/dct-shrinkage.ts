import { BLOCK, forward, inverse } from './block-transform.js';

export interface Shrinkage {
  /** Standard deviation in levels. */
  noise: number;
  /** Factors of the 64 coefficients of a block, for sharpening. */
  gain?: Float64Array | undefined;
  /** Pixels between blocks; smaller is finer and slower. */
  step: number;
}

/** In standard deviations; smaller coefficients count as noise. */
const THRESHOLD = 2.7;

/**
 * Removes noise and JPEG block borders by DCT shrinkage: small coefficients of overlapping blocks are dropped, and each
 * pixel is the mean of its blocks, flat ones weighted more. Can sharpen, too.
 */
export function shrinkCoefficients(
  plane: Float32Array,
  width: number,
  height: number,
  options: Shrinkage,
): Float32Array {
  if (width < BLOCK || height < BLOCK) return Float32Array.from(plane);
  const threshold = THRESHOLD * options.noise;
  const { gain } = options;
  const sums = new Float32Array(plane.length);
  const weights = new Float32Array(plane.length);
  const block = new Float64Array(BLOCK * BLOCK);
  const columns = blockStarts(width, options.step);
  for (const top of blockStarts(height, options.step)) {
    for (const left of columns) {
      const start = top * width + left;
      for (let y = 0, at = 0; y < BLOCK; y++) {
        for (let x = 0, from = start + y * width; x < BLOCK; x++) block[at++] = plane[from + x] as number;
      }
      forward(block);
      let kept = 1;
      for (let at = 1; at < block.length; at++) {
        const value = block[at] as number;
        if (value < threshold && value > -threshold) block[at] = 0;
        else {
          kept++;
          if (gain) block[at] = value * (gain[at] as number);
        }
      }
      const weight = 1 / kept;
      if (kept === 1) block.fill((block[0] as number) / BLOCK);
      else inverse(block);
      for (let y = 0, at = 0; y < BLOCK; y++) {
        for (let x = 0, to = start + y * width; x < BLOCK; x++, at++) {
          sums[to + x] = (sums[to + x] as number) + weight * (block[at] as number);
          weights[to + x] = (weights[to + x] as number) + weight;
        }
      }
    }
  }
  for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] as number) / (weights[at] as number);
  return sums;
}

/** Every step along an axis, and the end. */
export function blockStarts(length: number, step: number): number[] {
  const last = length - BLOCK;
  const starts: number[] = [];
  for (let start = 0; start < last; start += step) starts.push(start);
  starts.push(last);
  return starts;
}
