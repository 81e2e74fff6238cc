/** Resizes planes of one size, row by row: bilinear, with aligned pixel centers. */
export class RowSampler {
  readonly #source: { readonly width: number; readonly height: number };
  readonly #height: number;
  /** Per column of the target: the source's column to its left, and the share of the next. */
  readonly #left: Int32Array;
  readonly #share: Float64Array;
  /** Between two rows of the source; its last value is repeated. */
  readonly #line: Float64Array;

  /** @param columns of a row that are filled, from the left; default: all */
  constructor(source: { width: number; height: number }, width: number, height: number, columns = width) {
    this.#source = source;
    this.#height = height;
    this.#left = new Int32Array(columns);
    this.#share = new Float64Array(columns);
    this.#line = new Float64Array(source.width + 1);
    const step = source.width / width;
    for (let x = 0; x < columns; x++) {
      const across = Math.max(0, Math.min(source.width - 1, (x + 0.5) * step - 0.5));
      const left = Math.floor(across);
      this.#left[x] = left;
      this.#share[x] = across - left;
    }
  }

  fill(data: Float32Array, y: number, target: Float32Array, part?: Span): void {
    const { first, end } = part ?? { first: 0, end: this.#left.length };
    if (first >= end) return;
    const { width, height } = this.#source;
    const [left, share, line] = [this.#left, this.#share, this.#line];
    const down = Math.max(0, Math.min(height - 1, ((y + 0.5) * height) / this.#height - 0.5));
    const top = Math.floor(down);
    const upper = top * width;
    const lower = Math.min(height - 1, top + 1) * width;
    const below = down - top;
    const last = Math.min(width - 1, (left[end - 1] as number) + 1);
    for (let x = left[first] as number; x <= last; x++) {
      const above = data[upper + x] as number;
      line[x] = above + ((data[lower + x] as number) - above) * below;
    }
    line[width] = line[width - 1] as number;
    for (let x = first; x < end; x++) {
      const at = left[x] as number;
      const own = line[at] as number;
      target[x] = own + ((line[at + 1] as number) - own) * (share[x] as number);
    }
  }
}

/** Columns of a row, from `first` to before `end`. */
export interface Span {
  readonly first: number;
  readonly end: number;
}

/** Runs of neighboring values between two bounds, both excluded. */
export function runsBetween(values: Float32Array, least: number, most: number): Span[] {
  const runs: Span[] = [];
  let first = -1;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    const isInside = value > least && value < most;
    if (isInside && first < 0) first = at;
    else if (!isInside && first >= 0) {
      runs.push({ first, end: at });
      first = -1;
    }
  }
  if (first >= 0) runs.push({ first, end: values.length });
  return runs;
}
