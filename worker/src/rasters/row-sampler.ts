import { heap, kernels, reserve } from './kernels.js';

/** `floats` a pixel, row by row. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/**
 * Resizes pixels of some floats, row by row: bilinear, with aligned pixel centers. Kernels interpolate along a line. Within
 * {@link withKernels}.
 */
export class RowSampler {
  /** Address of what a kernel needs for each column: index of the left neighbor in a line, and share of the right one. */
  readonly columns: number;
  readonly #source: Pixels;
  readonly #length: number;
  readonly #floats: number;
  readonly #height: number;
  /** Two rows of the source; row n at n modulo 2. */
  readonly #rows: readonly [number, number];
  readonly #kept = new Int32Array(2).fill(-1);
  /** Between them; its last pixel is repeated. */
  readonly #line: number;

  /** @param count of columns that are needed, from the left; default: all */
  constructor(source: Pixels, floats: number, width: number, height: number, count = width) {
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
