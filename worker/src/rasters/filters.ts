/** Separable filters on planes of floats, in constant time for any radius. */

/** Window of side 2 * radius + 1; at edges the mean of its inner part. */
export function boxMean(source: Float32Array, width: number, height: number, radius: number): Float32Array {
  const rows = new Float32Array(source.length);
  for (let y = 0; y < height; y++) slideRow(source, rows, y * width, width, radius);
  return boxColumns(rows, width, height, radius);
}

function slideRow(source: Float32Array, target: Float32Array, start: number, width: number, radius: number): void {
  let sum = 0;
  let count = 0;
  for (const end = Math.min(radius, width); count < end; count++) sum += source[start + count] as number;
  for (let x = 0; x < width; x++) {
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
}

/** Slides whole rows, to read memory in order. */
function boxColumns(source: Float32Array, width: number, height: number, radius: number): Float32Array {
  const target = new Float32Array(source.length);
  const sums = new Float64Array(width);
  let count = 0;
  for (const end = Math.min(radius, height); count < end; count++) {
    for (let x = 0, at = count * width; x < width; x++, at++) sums[x] = (sums[x] as number) + (source[at] as number);
  }
  for (let y = 0; y < height; y++) {
    const enters = y + radius < height;
    const leaves = y > radius;
    count += Number(enters) - Number(leaves);
    const entering = (y + radius) * width;
    const leaving = (y - radius - 1) * width;
    const row = y * width;
    for (let x = 0; x < width; x++) {
      let sum = sums[x] as number;
      if (enters) sum += source[entering + x] as number;
      if (leaves) sum -= source[leaving + x] as number;
      sums[x] = sum;
      target[row + x] = sum / count;
    }
  }
  return target;
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

/** Enlarges means of squares of `factor` pixels, linearly between their centres. */
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
