/** Writes the Catmull-Rom weights of four samples from `at` on, for a place `part` after the second. */
export function setCubicWeights(weights: Float64Array, at: number, part: number): void {
  const square = part * part;
  const cube = square * part;
  weights[at] = (-cube + 2 * square - part) / 2;
  weights[at + 1] = (3 * cube - 5 * square + 2) / 2;
  weights[at + 2] = (-3 * cube + 4 * square + part) / 2;
  weights[at + 3] = (cube - square) / 2;
}
