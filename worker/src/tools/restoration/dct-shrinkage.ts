/** Orthonormal DCT-II of 8 x 8 blocks, as in JPEG. */

export const BLOCK = 8;

const BASIS = Float64Array.from({ length: BLOCK * BLOCK }, (_, at) => {
  const frequency = Math.floor(at / BLOCK);
  const scale = Math.sqrt((frequency === 0 ? 1 : 2) / BLOCK);
  return scale * Math.cos((Math.PI * ((at % BLOCK) + 0.5) * frequency) / BLOCK);
});
const TRANSPOSED = BASIS.map((_, at) => BASIS[(at % BLOCK) * BLOCK + Math.floor(at / BLOCK)] ?? 0);

const between = new Float64Array(BLOCK * BLOCK);

/** In place. Coefficients row by row, vertical frequency first. */
export function forward(block: Float64Array): void {
  transform(BASIS, block, between);
  transform(BASIS, between, block);
}

export function inverse(block: Float64Array): void {
  transform(TRANSPOSED, block, between);
  transform(TRANSPOSED, between, block);
}

/** target = transpose of (matrix applied to every row): applied twice, transforms both directions. */
function transform(matrix: Float64Array, source: Float64Array, target: Float64Array): void {
  for (let row = 0; row < BLOCK; row++) {
    const at = row * BLOCK;
    const a = source[at] as number;
    const b = source[at + 1] as number;
    const c = source[at + 2] as number;
    const d = source[at + 3] as number;
    const e = source[at + 4] as number;
    const f = source[at + 5] as number;
    const g = source[at + 6] as number;
    const h = source[at + 7] as number;
    for (let out = 0, m = 0; out < BLOCK; out++, m += BLOCK) {
      target[out * BLOCK + row] =
        (matrix[m] as number) * a +
        (matrix[m + 1] as number) * b +
        (matrix[m + 2] as number) * c +
        (matrix[m + 3] as number) * d +
        (matrix[m + 4] as number) * e +
        (matrix[m + 5] as number) * f +
        (matrix[m + 6] as number) * g +
        (matrix[m + 7] as number) * h;
    }
  }
}

interface Shrinkage {
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

export function blockStarts(length: number, step: number): number[] {
  const last = length - BLOCK;
  const starts: number[] = [];
  for (let start = 0; start < last; start += step) starts.push(start);
  starts.push(last);
  return starts;
}
