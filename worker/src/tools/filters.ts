/** Filters on single planes of floats. All are separable and take the same time for any radius. */

/** Mean over a square window of side 2 * radius + 1; at the edges over what of it lies inside. */
export function boxMean(source: Float32Array, width: number, height: number, radius: number): Float32Array {
  const rows = new Float32Array(source.length);
  for (let y = 0; y < height; y++) slideRow(source, rows, y * width, width, radius);
  return boxColumns(rows, width, height, radius);
}

function slideRow(source: Float32Array, target: Float32Array, start: number, width: number, radius: number): void {
  let sum = 0;
  let count = 0;
  for (let x = -radius; x < width; x++) {
    if (x + radius < width) {
      sum += source[start + x + radius] ?? 0;
      count++;
    }
    if (x - radius > 0) {
      sum -= source[start + x - radius - 1] ?? 0;
      count--;
    }
    if (x >= 0) target[start + x] = sum / count;
  }
}

/** Slides whole rows down at once, so that memory is read in order. */
function boxColumns(source: Float32Array, width: number, height: number, radius: number): Float32Array {
  const target = new Float32Array(source.length);
  const sums = new Float64Array(width);
  let count = 0;
  for (let y = -radius; y < height; y++) {
    if (y + radius < height) {
      const entering = (y + radius) * width;
      for (let x = 0; x < width; x++) sums[x] = (sums[x] ?? 0) + (source[entering + x] ?? 0);
      count++;
    }
    if (y - radius > 0) {
      const leaving = (y - radius - 1) * width;
      for (let x = 0; x < width; x++) sums[x] = (sums[x] ?? 0) - (source[leaving + x] ?? 0);
      count--;
    }
    if (y < 0) continue;
    const row = y * width;
    for (let x = 0; x < width; x++) target[row + x] = (sums[x] ?? 0) / count;
  }
  return target;
}
