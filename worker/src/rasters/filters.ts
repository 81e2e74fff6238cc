import { floatsAt, kernels, reserve, withKernels } from './kernels/kernels.js';

/** Separable filters on planes of floats, in constant time for any radius. */

/** Window of side 2 * radius + 1; at edges the mean of its inner part. */
export function boxMean(source: Float32Array, width: number, height: number, radius: number): Float32Array {
  const rows = new Float32Array(source.length);
  for (let y = 0; y < height; y++) slideRow(source, rows, y * width, width, radius);
  return boxColumns(rows, width, height, radius);
}

function slideRow(source: Float32Array, target: Float32Array, start: number, width: number, radius: number): void {
  const reach = Math.min(radius, width);
  let sum = 0;
  for (let x = 0; x < reach; x++) sum += source[start + x] as number;
  let count = reach;
  let x = 0;
  for (; x < width && (x <= radius || x + radius >= width); x++) {
    if (x + radius < width) {
      sum += source[start + x + radius] as number;
      count++;
    }
    if (x > radius) {
      sum -= source[start + x - radius - 1] as number;
      count--;
    }
    target[start + x] = sum / count;
  }
  // Whole windows: most of the row, without conditions.
  for (const end = width - radius; x < end; x++) {
    sum += source[start + x + radius] as number;
    sum -= source[start + x - radius - 1] as number;
    target[start + x] = sum / count;
  }
  for (; x < width; x++) {
    sum -= source[start + x - radius - 1] as number;
    count--;
    target[start + x] = sum / count;
  }
}

/** Slides whole rows, to read memory in order. */
function boxColumns(source: Float32Array, width: number, height: number, radius: number): Float32Array {
  const target = new Float32Array(source.length);
  const sums = new Float64Array(width);
  let count = 0;
  const add = (row: number) => {
    for (let x = 0, at = row * width; x < width; x++, at++) sums[x] = (sums[x] as number) + (source[at] as number);
    count++;
  };
  const subtract = (row: number) => {
    for (let x = 0, at = row * width; x < width; x++, at++) sums[x] = (sums[x] as number) - (source[at] as number);
    count--;
  };
  for (let row = 0; row < Math.min(radius, height); row++) add(row);
  for (let y = 0; y < height; y++) {
    const enters = y + radius < height;
    const leaves = y > radius;
    if (enters && leaves) {
      const entering = (y + radius) * width;
      const leaving = (y - radius - 1) * width;
      for (let x = 0; x < width; x++) {
        sums[x] = (sums[x] as number) + (source[entering + x] as number) - (source[leaving + x] as number);
      }
    } else if (enters) add(y + radius);
    else if (leaves) subtract(y - radius - 1);
    const row = y * width;
    for (let x = 0; x < width; x++) target[row + x] = (sums[x] as number) / count;
  }
  return target;
}

/** Standard deviation in pixels from which two box means are near enough to a Gaussian, and faster. */
const LARGE_SIGMA = 2;
/** Standard deviations after which a Gaussian ends. */
const REACH = 3;

/** Gaussian blur; sigma in pixels, over 0. Edges are repeated. */
export function soften(source: Float32Array, width: number, height: number, sigma: number): Float32Array {
  if (sigma >= LARGE_SIGMA) {
    // Two boxes of side 2r + 1 have the variance ((2r + 1) ** 2 - 1) / 6.
    const radius = Math.round((Math.sqrt(6 * sigma * sigma + 1) - 1) / 2);
    return boxMean(boxMean(source, width, height, radius), width, height, radius);
  }
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
export function halve(
  source: Float32Array,
  width: number,
  height: number,
): { plane: Float32Array; width: number; height: number } {
  const columns = Math.ceil(width / 2);
  const rows = Math.ceil(height / 2);
  const plane = new Float32Array(columns * rows);
  for (let y = 0; y < rows; y++) {
    const upper = 2 * y * width;
    const lower = Math.min(height - 1, 2 * y + 1) * width;
    for (let x = 0; x < columns; x++) {
      const left = 2 * x;
      const right = Math.min(width - 1, left + 1);
      plane[y * columns + x] =
        ((source[upper + left] ?? 0) +
          (source[upper + right] ?? 0) +
          (source[lower + left] ?? 0) +
          (source[lower + right] ?? 0)) /
        4;
    }
  }
  return { plane, width: columns, height: rows };
}

/** Enlarges means of squares of `factor` pixels, linearly between their centers. */
export function stretch(
  source: Float32Array,
  columns: number,
  rows: number,
  width: number,
  height: number,
  factor: number,
): Float32Array {
  const plane = new Float32Array(width * height);
  const position = (index: number, length: number) => Math.max(0, Math.min(length - 1, (index + 0.5) / factor - 0.5));
  for (let y = 0; y < height; y++) {
    const down = position(y, rows);
    const top = Math.floor(down);
    const bottom = Math.min(rows - 1, top + 1);
    const below = down - top;
    for (let x = 0; x < width; x++) {
      const across = position(x, columns);
      const left = Math.floor(across);
      const right = Math.min(columns - 1, left + 1);
      const beside = across - left;
      const upper = (source[top * columns + left] ?? 0) * (1 - beside) + (source[top * columns + right] ?? 0) * beside;
      const lower =
        (source[bottom * columns + left] ?? 0) * (1 - beside) + (source[bottom * columns + right] ?? 0) * beside;
      plane[y * width + x] = upper * (1 - below) + lower * below;
    }
  }
  return plane;
}
