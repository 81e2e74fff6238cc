import type { RgbImage } from './rgb-image.ts';

/** One channel, row by row. */
interface Plane {
  readonly values: Float32Array;
  readonly width: number;
  readonly height: number;
}

/** Luma by ITU-R BT.601, 0..255. */
function lumaOf({ data, width, height }: RgbImage): Plane {
  const values = new Float32Array(width * height);
  for (let pixel = 0; pixel < values.length; pixel++) {
    const first = pixel * 3;
    values[pixel] = 0.299 * (data[first] ?? 0) + 0.587 * (data[first + 1] ?? 0) + 0.114 * (data[first + 2] ?? 0);
  }
  return { values, width, height };
}

const RADIUS = 5;
const WINDOW = (() => {
  const weights = Array.from({ length: 2 * RADIUS + 1 }, (_, tap) => Math.exp(-((tap - RADIUS) ** 2) / (2 * 1.5 ** 2)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
})();

/** Gaussian mean over 11 × 11 pixels (deviation 1.5), without a border. */
function windowed(plane: Plane, valueAt: (index: number) => number): Plane {
  const width = plane.width - 2 * RADIUS;
  const height = plane.height - 2 * RADIUS;
  const rows = new Float32Array(width * plane.height);
  for (let y = 0; y < plane.height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let tap = 0; tap < WINDOW.length; tap++) sum += (WINDOW[tap] ?? 0) * valueAt(y * plane.width + x + tap);
      rows[y * width + x] = sum;
    }
  }
  const values = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let tap = 0; tap < WINDOW.length; tap++) sum += (WINDOW[tap] ?? 0) * (rows[(y + tap) * width + x] ?? 0);
      values[y * width + x] = sum;
    }
  }
  return { values, width, height };
}

const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

/** Mean SSIM and mean contrast-structure term. NaN for less than 11 pixels a side. */
function structure(truth: Plane, other: Plane): { ssim: number; contrast: number } {
  const a = truth.values;
  const b = other.values;
  const at = (values: Float32Array) => (index: number) => values[index] ?? 0;
  const [valueA, valueB] = [at(a), at(b)];
  const meanA = windowed(truth, valueA).values;
  const meanB = windowed(truth, valueB).values;
  const squareA = windowed(truth, (index) => valueA(index) ** 2).values;
  const squareB = windowed(truth, (index) => valueB(index) ** 2).values;
  const product = windowed(truth, (index) => valueA(index) * valueB(index)).values;
  let ssim = 0;
  let contrast = 0;
  for (let index = 0; index < meanA.length; index++) {
    const [ma = 0, mb = 0] = [meanA[index], meanB[index]];
    const varianceA = (squareA[index] ?? 0) - ma * ma;
    const varianceB = (squareB[index] ?? 0) - mb * mb;
    const covariance = (product[index] ?? 0) - ma * mb;
    const term = (2 * covariance + C2) / (varianceA + varianceB + C2);
    contrast += term;
    ssim += (term * (2 * ma * mb + C1)) / (ma * ma + mb * mb + C1);
  }
  return { ssim: ssim / meanA.length, contrast: contrast / meanA.length };
}

function halved({ values, width, height }: Plane): Plane {
  const half = { width: Math.floor(width / 2), height: Math.floor(height / 2) };
  const result = new Float32Array(half.width * half.height);
  for (let y = 0; y < half.height; y++) {
    for (let x = 0; x < half.width; x++) {
      const first = 2 * y * width + 2 * x;
      result[y * half.width + x] =
        ((values[first] ?? 0) +
          (values[first + 1] ?? 0) +
          (values[first + width] ?? 0) +
          (values[first + width + 1] ?? 0)) /
        4;
    }
  }
  return { values: result, ...half };
}

/** SSIM on luma (Wang et al. 2004), 1 for equal pictures. */
export const ssim = (truth: RgbImage, other: RgbImage): number => structure(lumaOf(truth), lumaOf(other)).ssim;

/** Weights of the scales, finest first (Wang, Simoncelli, Bovik 2003). */
const SCALE_WEIGHTS = [0.0448, 0.2856, 0.3001, 0.2363, 0.1333];

/** MS-SSIM on luma over five scales, 1 for equal pictures. NaN for less than 176 pixels a side. */
export function msSsim(truth: RgbImage, other: RgbImage): number {
  let [a, b] = [lumaOf(truth), lumaOf(other)];
  let result = 1;
  for (const [scale, weight] of SCALE_WEIGHTS.entries()) {
    const { ssim: whole, contrast } = structure(a, b);
    result *= Math.max(0, scale === SCALE_WEIGHTS.length - 1 ? whole : contrast) ** weight;
    [a, b] = [halved(a), halved(b)];
  }
  return result;
}

/** Magnitude of the Prewitt gradient, without a border. */
function gradient({ values, width, height }: Plane): Float32Array {
  const at = (x: number, y: number): number => values[y * width + x] ?? 0;
  const result = new Float32Array((width - 2) * (height - 2));
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      let [horizontal, vertical] = [0, 0];
      for (const step of [-1, 0, 1]) {
        horizontal += at(x + 1, y + step) - at(x - 1, y + step);
        vertical += at(x + step, y + 1) - at(x + step, y - 1);
      }
      result[(y - 1) * (width - 2) + x - 1] = Math.hypot(horizontal, vertical) / 3;
    }
  }
  return result;
}

/** Constant of GMSD for 8-bit codes (Xue et al. 2014). */
const GMSD_CONSTANT = 170;

/** Gradient magnitude similarity deviation on luma (Xue et al. 2014), 0 for equal pictures; lower is better. */
export function gmsd(truth: RgbImage, other: RgbImage): number {
  const a = gradient(halved(lumaOf(truth)));
  const b = gradient(halved(lumaOf(other)));
  const similarity = a.map((value, index) => {
    const second = b[index] ?? 0;
    return (2 * value * second + GMSD_CONSTANT) / (value ** 2 + second ** 2 + GMSD_CONSTANT);
  });
  return Math.sqrt(varianceOf(similarity));
}

/** Sharpness: variance of the 4-neighbor Laplacian on luma. */
export function laplacianVariance(image: RgbImage): number {
  const { values, width, height } = lumaOf(image);
  const at = (index: number): number => values[index] ?? 0;
  const result: number[] = [];
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const index = y * width + x;
      result.push(at(index - 1) + at(index + 1) + at(index - width) + at(index + width) - 4 * at(index));
    }
  }
  return varianceOf(result);
}

function varianceOf(values: ArrayLike<number>): number {
  let [sum, squares] = [0, 0];
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? 0;
    sum += value;
    squares += value * value;
  }
  const mean = sum / values.length;
  return squares / values.length - mean * mean;
}
