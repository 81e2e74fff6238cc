import { floatsAt, heap, kernels, reserve, withKernels } from './kernels.js';

/** One float a pixel, or several, row by row. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/**
 * Bilinear: reducing by more than half skips values between the samples.
 * @param span pixels of the result that the source covers, if it is not the whole result
 */
export function resizePlane(source: Plane, width: number, height: number, span = { width, height }): Plane {
  const data = new Float32Array(width * height);
  withKernels(() => {
    const sampler = new RowSampler(source, 1, span.width, span.height, width);
    const row = reserve(4 * width);
    for (let y = 0; y < height; y++) {
      kernels.sampleGrays(sampler.line(y), sampler.columns, row, width);
      data.set(floatsAt(row, width), y * width);
    }
  });
  return { width, height, data };
}

/** Planes as the floats of pixels: `floats` of each. */
export function interleaved(planes: readonly Float32Array[], floats: number): Float32Array {
  const data = new Float32Array(floats * (planes[0]?.length ?? 0));
  for (const [index, plane] of planes.entries()) {
    for (let from = 0, to = index; from < plane.length; from++, to += floats) data[to] = plane[from] as number;
  }
  return data;
}

/**
 * Resizes pixels of some floats, row by row: bilinear, with aligned pixel centers. Kernels interpolate along a line. Within
 * {@link withKernels}.
 */
export class RowSampler {
  /** Address of what a kernel needs for each column: index of the left neighbor in a line, and share of the right one. */
  readonly columns: number;
  readonly #source: Plane;
  readonly #length: number;
  readonly #floats: number;
  readonly #height: number;
  /** Two rows of the source; row n at n modulo 2. */
  readonly #rows: readonly [number, number];
  readonly #kept = new Int32Array(2).fill(-1);
  /** Between them; its last pixel is repeated. */
  readonly #line: number;

  /** @param count of columns that are needed, from the left; default: all */
  constructor(source: Plane, floats: number, width: number, height: number, count = width) {
    this.#source = source;
    this.#floats = floats;
    this.#length = source.width * floats;
    this.#height = height;
    this.columns = reserve(8 * count);
    this.#rows = [reserve(4 * this.#length), reserve(4 * this.#length)];
    this.#line = reserve(4 * (this.#length + floats));
    const step = source.width / width;
    for (let x = 0, at = this.columns >> 2; x < count; x++, at += 2) {
      const across = Math.max(0, Math.min(source.width - 1, (x + 0.5) * step - 0.5));
      const left = Math.floor(across);
      heap.integers[at] = left;
      heap.floats[at + 1] = across - left;
    }
  }

  /** Address of the source's pixels at a row, valid until the next one. Fastest for ascending rows. */
  line(y: number): number {
    const { height } = this.#source;
    const down = Math.max(0, Math.min(height - 1, ((y + 0.5) * height) / this.#height - 0.5));
    const top = Math.floor(down);
    const [above, below] = [this.#row(top), this.#row(Math.min(height - 1, top + 1))];
    kernels.interpolate(above, below, down - top, this.#line, this.#length);
    const end = (this.#line >> 2) + this.#length;
    heap.floats.copyWithin(end, end - this.#floats, end);
    return this.#line;
  }

  #row(y: number): number {
    const row = this.#rows[y & 1 ? 1 : 0];
    if (this.#kept[y & 1] !== y) {
      this.#kept[y & 1] = y;
      heap.floats.set(this.#source.data.subarray(y * this.#length, (y + 1) * this.#length), row >> 2);
    }
    return row;
  }
}
