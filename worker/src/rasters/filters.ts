import { floatsAt, heap, kernels, reserve, withKernels } from './kernels.js';
import type { Plane } from './row-sampler.js';

/** Separable filters on planes of floats, in constant time for any radius. */

/**
 * Window of side 2 * radius + 1; at edges the mean of its inner part.
 * @param times how often; twice is about a Gaussian
 */
export function boxMean(
  source: Float32Array,
  width: number,
  height: number,
  radius: number,
  times: 1 | 2 = 1,
): Float32Array {
  return withKernels(() => {
    const plane = reserve(source.byteLength);
    heap.floats.set(source, plane >> 2);
    const space = new BoxSpace(width, height);
    for (let time = 0; time < times; time++) space.mean(plane, radius);
    return floatsAt(plane, source.length).slice();
  });
}

/** Box means of planes of one size at addresses, in place. Within {@link withKernels}. */
export class BoxSpace {
  readonly #width: number;
  readonly #height: number;
  readonly #rows: number;
  readonly #sums: number;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
    this.#rows = reserve(4 * width * (height + 1));
    this.#sums = reserve(8 * width);
  }

  mean(plane: number, radius: number): void {
    kernels.boxMean(plane, this.#rows, this.#sums, this.#width, this.#height, radius);
  }
}

/** Standard deviation in pixels from which two box means are near enough to a Gaussian, and faster. */
const LARGE_SIGMA = 2;
/** Standard deviations after which a Gaussian ends. */
const REACH = 3;

/** About a Gaussian blur, by two box means of at least three pixels. Sigma in pixels. */
export function boxBlur(
  source: Float32Array,
  { width, height }: { readonly width: number; readonly height: number },
  sigma: number,
): Float32Array {
  // Two boxes of side 2r + 1 have the variance ((2r + 1) ** 2 - 1) / 6.
  const radius = Math.max(1, Math.round((Math.sqrt(6 * sigma * sigma + 1) - 1) / 2));
  return boxMean(source, width, height, radius, 2);
}

/** Gaussian blur; sigma in pixels, over 0. Edges are repeated. */
export function soften(source: Float32Array, width: number, height: number, sigma: number): Float32Array {
  if (sigma >= LARGE_SIGMA) return boxBlur(source, { width, height }, sigma);
  const radius = Math.ceil(REACH * sigma);
  const weights = Float32Array.from({ length: 2 * radius + 1 }, (_, tap) =>
    Math.exp(-((tap - radius) ** 2) / (2 * sigma * sigma)),
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const shares = weights.map((weight) => weight / sum);
  const target = new Float32Array(source.length);
  withKernels(() => {
    const line = reserve(4 * (width + 2 * radius));
    // Softened rows of the window; row n at n modulo their number.
    const window = Array.from({ length: 2 * radius + 1 }, () => reserve(4 * width));
    const sum = reserve(4 * width);
    const rowAt = (y: number) => window[y % window.length] as number;
    for (let y = 0; y < height + radius; y++) {
      if (y < height) softenRow(source, y * width, width, shares, line, rowAt(y));
      const middle = y - radius;
      if (middle < 0) continue;
      floatsAt(sum, width).fill(0);
      for (const [tap, share] of shares.entries()) {
        const from = Math.max(0, Math.min(height - 1, middle + tap - radius));
        kernels.addScaled(rowAt(from), share, sum, width);
      }
      target.set(floatsAt(sum, width), middle * width);
    }
  });
  return target;
}

/** Within {@link withKernels}, from a row of the source to an address. */
function softenRow(
  source: Float32Array,
  start: number,
  width: number,
  shares: Float32Array,
  line: number,
  target: number,
): void {
  const radius = (shares.length - 1) / 2;
  const padded = floatsAt(line, width + 2 * radius);
  padded.fill(source[start] as number, 0, radius);
  padded.set(source.subarray(start, start + width), radius);
  padded.fill(source[start + width - 1] as number, radius + width);
  floatsAt(target, width).fill(0);
  for (const [tap, share] of shares.entries()) kernels.addScaled(line + 4 * tap, share, target, width);
}

/** Means of 2 x 2; the last row or column of an odd size stands alone. */
export function halve({ width, height, data: source }: Plane): Plane {
  const columns = Math.ceil(width / 2);
  const rows = Math.ceil(height / 2);
  const data = new Float32Array(columns * rows);
  for (let y = 0; y < rows; y++) {
    const upper = 2 * y * width;
    const lower = Math.min(height - 1, 2 * y + 1) * width;
    for (let x = 0; x < columns; x++) {
      const left = 2 * x;
      const right = Math.min(width - 1, left + 1);
      data[y * columns + x] =
        ((source[upper + left] ?? 0) +
          (source[upper + right] ?? 0) +
          (source[lower + left] ?? 0) +
          (source[lower + right] ?? 0)) /
        4;
    }
  }
  return { width: columns, height: rows, data };
}
