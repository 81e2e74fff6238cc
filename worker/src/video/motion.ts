/** Side of the squares that have a vector of their own. */
export const MOTION_BLOCK = 8;
/** Vectors count quarters of a pixel. */
const STEPS = 4;
/** Farthest motion that is found, in pixels of a frame reduced four times, and the step of the search that comes first. */
const REACH = 8;
const STRIDE = 2;
/** Cost in levels per pixel of the window for each step away from where the search starts: flat parts stay with their neighbors. */
const PREFERENCE = 0.04;

interface Plane {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A frame at full, half and quarter size. */
export interface Pyramid {
  readonly full: Plane;
  readonly half: Plane;
  readonly quarter: Plane;
}

export function pyramidOf(data: Uint8Array, width: number, height: number): Pyramid {
  const full = { data, width, height };
  const half = halved(full);
  return { full, half, quarter: halved(half) };
}

function halved({ data, width, height }: Plane): Plane {
  const half = { width: Math.max(1, width >> 1), height: Math.max(1, height >> 1) };
  const out = new Uint8Array(half.width * half.height);
  const [right, down] = [width > 1 ? 1 : 0, height > 1 ? width : 0];
  for (let y = 0, to = 0; y < half.height; y++) {
    for (let x = 0, from = 2 * y * width; x < half.width; x++, from += 2, to++) {
      const above = (data[from] as number) + (data[from + right] as number);
      const below = (data[from + down] as number) + (data[from + down + right] as number);
      out[to] = (above + below + 2) >> 2;
    }
  }
  return { data: out, ...half };
}

/**
 * Where each square of {@link MOTION_BLOCK} pixels was in the frame before, as pairs of x and y in quarters of a pixel, row by row.
 * Searched from coarse to fine; fractions from the parabola through the differences of whole pixels.
 */
export function measureMotion(now: Pyramid, before: Pyramid): Int16Array {
  const { width, height } = now.full;
  const columns = Math.ceil(width / 16);
  const coarse = new Int16Array(2 * columns * Math.ceil(height / 16));
  const far = new Search(now.quarter, before.quarter, 6, 1);
  const near = new Search(now.half, before.half, 8, 1);
  for (let at = 0; at < coarse.length; at += 2) {
    const [column, row] = [(at / 2) % columns, Math.floor(at / 2 / columns)];
    far.begin(4 * column - 1, 4 * row - 1);
    far.try(0, 0, 0);
    // As the squares before it: most have the motion of their neighbors.
    if (column > 0) far.try((coarse[at - 2] as number) >> 1, (coarse[at - 1] as number) >> 1, 0);
    if (row > 0) far.try((coarse[at - 2 * columns] as number) >> 1, (coarse[at - 2 * columns + 1] as number) >> 1, 0);
    for (let y = -REACH; y <= REACH; y += STRIDE) {
      for (let x = -REACH; x <= REACH; x += STRIDE) far.try(x, y, Math.abs(x) + Math.abs(y));
    }
    far.refine(1);
    near.begin(8 * column, 8 * row);
    near.try(0, 0, 0);
    near.try(2 * far.x, 2 * far.y, 0);
    near.refine(2);
    coarse[at] = near.x;
    coarse[at + 1] = near.y;
  }
  return refined(now.full, before.full, coarse, columns);
}

/** @param coarse vectors of squares of 16 pixels in steps of two */
function refined(now: Plane, before: Plane, coarse: Int16Array, coarseColumns: number): Int16Array {
  const [columns, rows] = [Math.ceil(now.width / MOTION_BLOCK), Math.ceil(now.height / MOTION_BLOCK)];
  const coarseRows = coarse.length / 2 / coarseColumns;
  const vectors = new Int16Array(2 * columns * rows);
  const search = new Search(now, before, 12, 2);
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, at += 2) {
      search.begin(8 * column - 2, 8 * row - 2);
      // Its own vector and those of the three squares that it lies next to.
      const [left, top] = [(column - 1) >> 1, (row - 1) >> 1];
      for (let y = Math.max(0, top); y <= Math.min(top + 1, coarseRows - 1); y++) {
        for (let x = Math.max(0, left); x <= Math.min(left + 1, coarseColumns - 1); x++) {
          const from = 2 * (y * coarseColumns + x);
          search.try(2 * (coarse[from] as number), 2 * (coarse[from + 1] as number), 0);
        }
      }
      search.refine(1);
      vectors[at] = STEPS * search.x + search.fractionAlong(1, 0);
      vectors[at + 1] = STEPS * search.y + search.fractionAlong(0, 1);
    }
  }
  return vectors;
}

/** Finds the displacement with the least difference of a window. */
class Search {
  x = 0;
  y = 0;
  private least = Number.POSITIVE_INFINITY;
  private left = 0;
  private top = 0;
  private readonly now: Plane;
  private readonly before: Plane;
  private readonly side: number;
  /** Rows from one that is compared to the next one. */
  private readonly rowStep: number;
  private readonly stepCost: number;

  constructor(now: Plane, before: Plane, side: number, rowStep: number) {
    this.now = now;
    this.before = before;
    this.side = side;
    this.rowStep = rowStep;
    this.stepCost = (PREFERENCE * side * side) / rowStep;
  }

  begin(left: number, top: number): void {
    this.left = left;
    this.top = top;
    this.least = Number.POSITIVE_INFINITY;
  }

  try(x: number, y: number, steps: number): void {
    if (x === this.x && y === this.y && this.least < Number.POSITIVE_INFINITY) return;
    const cost = this.difference(x, y, this.least) + this.stepCost * steps;
    if (cost >= this.least) return;
    this.least = cost;
    this.x = x;
    this.y = y;
  }

  /** Tries what lies around the best displacement so far. */
  refine(reach: number): void {
    const { x, y } = this;
    for (let dy = -reach; dy <= reach; dy++) {
      for (let dx = -reach; dx <= reach; dx++) if (dx || dy) this.try(x + dx, y + dy, Math.abs(dx) + Math.abs(dy));
    }
  }

  /** From the best displacement along an axis, in quarters. */
  fractionAlong(dx: number, dy: number): number {
    const { x, y } = this;
    const own = this.difference(x, y, Number.POSITIVE_INFINITY);
    const before = this.difference(x - dx, y - dy, Number.POSITIVE_INFINITY);
    const after = this.difference(x + dx, y + dy, Number.POSITIVE_INFINITY);
    const curve = before + after - 2 * own;
    return curve > 0 ? Math.round(STEPS * Math.max(-0.5, Math.min(0.5, (before - after) / (2 * curve)))) : 0;
  }

  /** Sum of differences; gives up above a limit. Pixels outside repeat the border. */
  private difference(x: number, y: number, limit: number): number {
    const { left, top, side, rowStep } = this;
    const { width, height, data } = this.now;
    const before = this.before.data;
    const isInside =
      Math.min(left, left + x, top, top + y) >= 0 &&
      Math.max(left, left + x) + side <= width &&
      Math.max(top, top + y) + side <= height;
    if (!isInside) return this.clampedDifference(x, y);
    let sum = 0;
    for (let row = 0; row < side && sum < limit; row += rowStep) {
      const at = (top + row) * width + left;
      const from = at + y * width + x;
      for (let column = 0; column < side; column++) {
        const step = (data[at + column] as number) - (before[from + column] as number);
        const sign = step >> 31;
        sum += (step ^ sign) - sign;
      }
    }
    return sum;
  }

  private clampedDifference(x: number, y: number): number {
    const { left, top, side, rowStep } = this;
    const { width, height, data } = this.now;
    let sum = 0;
    for (let row = top; row < top + side; row += rowStep) {
      const own = clamp(row, height) * width;
      const other = clamp(row + y, height) * width;
      for (let column = left; column < left + side; column++) {
        const from = other + clamp(column + x, width);
        sum += Math.abs((data[own + clamp(column, width)] as number) - (this.before.data[from] as number));
      }
    }
    return sum;
  }
}

const clamp = (at: number, size: number): number => (at < 0 ? 0 : at >= size ? size - 1 : at);

/** Cubic kernel: four weights for each quarter. This slope of it keeps the most detail through many frames. */
const SHARPNESS = -0.75;
const KERNELS = [0, 1, 2, 3].map((step) => {
  const [t, a] = [step / STEPS, SHARPNESS];
  const near = (d: number) => ((a + 2) * d - (a + 3)) * d * d + 1;
  const far = (d: number) => ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
  return Float32Array.of(far(1 + t), near(t), near(1 - t), far(2 - t));
}) as [Float32Array, ...Float32Array[]];
const TAPS = 4;

/** A plane with each square taken from where it was: see {@link measureMotion}. */
export function moveAlong(before: Float32Array, width: number, height: number, vectors: Int16Array): Float32Array {
  const out = new Float32Array(before.length);
  const columns = Math.ceil(width / MOTION_BLOCK);
  const rows = new Float32Array((MOTION_BLOCK + TAPS - 1) * MOTION_BLOCK);
  for (let at = 0; at < vectors.length; at += 2) {
    const [dx, dy] = [vectors[at] as number, vectors[at + 1] as number];
    const left = MOTION_BLOCK * ((at / 2) % columns);
    const top = MOTION_BLOCK * Math.floor(at / 2 / columns);
    const [across, along] = [KERNELS[dx & 3] ?? KERNELS[0], KERNELS[dy & 3] ?? KERNELS[0]];
    const [fromX, fromY] = [left + (dx >> 2) - 1, top + (dy >> 2) - 1];
    const [a, b, c, d] = across as unknown as [number, number, number, number];
    const isInside = fromX >= 0 && fromX + MOTION_BLOCK + TAPS - 1 <= width;
    for (let row = 0, to = 0; row < MOTION_BLOCK + TAPS - 1; row++) {
      const line = clamp(fromY + row, height) * width;
      for (let column = 0; column < MOTION_BLOCK; column++, to++) {
        const x = fromX + column;
        const first = line + (isInside ? x : clamp(x, width));
        const second = isInside ? first + 1 : line + clamp(x + 1, width);
        const third = isInside ? first + 2 : line + clamp(x + 2, width);
        const fourth = isInside ? first + 3 : line + clamp(x + 3, width);
        rows[to] =
          a * (before[first] as number) +
          b * (before[second] as number) +
          c * (before[third] as number) +
          d * (before[fourth] as number);
      }
    }
    const [e, f, g, h] = along as unknown as [number, number, number, number];
    const [wide, high] = [Math.min(MOTION_BLOCK, width - left), Math.min(MOTION_BLOCK, height - top)];
    for (let row = 0; row < high; row++) {
      for (let column = 0; column < wide; column++) {
        const from = row * MOTION_BLOCK + column;
        out[(top + row) * width + left + column] =
          e * (rows[from] as number) +
          f * (rows[from + MOTION_BLOCK] as number) +
          g * (rows[from + 2 * MOTION_BLOCK] as number) +
          h * (rows[from + 3 * MOTION_BLOCK] as number);
      }
    }
  }
  return out;
}
