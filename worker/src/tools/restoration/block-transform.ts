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
