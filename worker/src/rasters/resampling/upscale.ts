/** Half the kernel's width in source pixels. */
const LOBES = 3;
const TAPS = 2 * LOBES;

export interface Samples {
  width: number;
  height: number;
  data: Uint8Array | Float32Array;
}

interface Taps {
  /** Unclamped first source index of each target. */
  starts: Int32Array;
  weights: Float64Array;
}

/**
 * Lanczos enlargement about pixel centres, row by row to save memory. libvips shifts enlarged pictures by half a pixel,
 * and mixed pictures must be aligned.
 */
export class Enlargement {
  readonly #source: Samples;
  readonly #channels: number;
  readonly #width: number;
  readonly #across: Taps;
  readonly #down: Taps;
  /**
   * Horizontally enlarged rows of the window; row n at n modulo their number. Doubles, which a processor multiplies without
   * conversion: a third less time than with floats.
   */
  readonly #rows: Float64Array[];
  readonly #kept: Int32Array;
  readonly #line: Float64Array;

  constructor(source: Samples, channels: number, width: number, height: number) {
    this.#source = source;
    this.#channels = channels;
    this.#width = width;
    this.#across = taps(source.width, width);
    this.#down = taps(source.height, height);
    this.#rows = Array.from({ length: TAPS }, () => new Float64Array(width * channels));
    this.#kept = new Int32Array(TAPS).fill(-1);
    this.#line = new Float64Array((source.width + TAPS) * channels);
  }

  /** Unrounded. Fastest for ascending rows. */
  row(y: number, target: Float64Array | Uint8ClampedArray): void {
    const first = this.#down.starts[y] as number;
    const a = this.#stretched(first);
    const b = this.#stretched(first + 1);
    const c = this.#stretched(first + 2);
    const d = this.#stretched(first + 3);
    const e = this.#stretched(first + 4);
    const f = this.#stretched(first + 5);
    const at = y * TAPS;
    const { weights } = this.#down;
    const ka = weights[at] as number;
    const kb = weights[at + 1] as number;
    const kc = weights[at + 2] as number;
    const kd = weights[at + 3] as number;
    const ke = weights[at + 4] as number;
    const kf = weights[at + 5] as number;
    const length = this.#width * this.#channels;
    for (let x = 0; x < length; x++) {
      target[x] =
        ka * (a[x] as number) +
        kb * (b[x] as number) +
        kc * (c[x] as number) +
        kd * (d[x] as number) +
        ke * (e[x] as number) +
        kf * (f[x] as number);
    }
  }

  #stretched(index: number): Float64Array {
    const y = clamp(index, this.#source.height);
    const slot = y % TAPS;
    const row = this.#rows[slot] as Float64Array;
    if (this.#kept[slot] !== y) {
      this.#kept[slot] = y;
      stretchRow(this.#source, this.#channels, y, this.#across, this.#line, row);
    }
    return row;
  }
}

export function upscale(source: Samples, width: number, height: number): Uint8Array {
  const enlargement = new Enlargement(source, 3, width, height);
  const stride = width * 3;
  const target = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) enlargement.row(y, new Uint8ClampedArray(target.buffer, y * stride, stride));
  return target;
}

/** `line`: the source row with {@link LOBES} repeated pixels at each end, so that no index is clamped. */
function stretchRow(
  { width, data }: Samples,
  channels: number,
  y: number,
  { starts, weights }: Taps,
  line: Float64Array,
  row: Float64Array,
): void {
  const from = y * width * channels;
  for (let at = 0, x = -LOBES; x < width + LOBES; x++) {
    const source = from + clamp(x, width) * channels;
    for (let channel = 0; channel < channels; channel++) line[at++] = data[source + channel] as number;
  }
  for (let to = 0, target = 0, at = 0; to < row.length; target++, at += TAPS) {
    const ka = weights[at] as number;
    const kb = weights[at + 1] as number;
    const kc = weights[at + 2] as number;
    const kd = weights[at + 3] as number;
    const ke = weights[at + 4] as number;
    const kf = weights[at + 5] as number;
    let first = ((starts[target] as number) + LOBES) * channels;
    for (const end = to + channels; to < end; to++, first++) {
      row[to] =
        ka * (line[first] as number) +
        kb * (line[first + channels] as number) +
        kc * (line[first + 2 * channels] as number) +
        kd * (line[first + 3 * channels] as number) +
        ke * (line[first + 4 * channels] as number) +
        kf * (line[first + 5 * channels] as number);
    }
  }
}

function taps(from: number, to: number): Taps {
  const starts = new Int32Array(to);
  const weights = new Float64Array(to * TAPS);
  for (let index = 0; index < to; index++) {
    const center = ((index + 0.5) * from) / to - 0.5;
    const start = Math.floor(center) - LOBES + 1;
    starts[index] = start;
    const raw = Array.from({ length: TAPS }, (_, tap) => lanczos(start + tap - center));
    const total = raw.reduce((sum, weight) => sum + weight, 0);
    for (const [tap, weight] of raw.entries()) weights[index * TAPS + tap] = weight / total;
  }
  return { starts, weights };
}

function lanczos(x: number): number {
  if (x === 0) return 1;
  if (Math.abs(x) >= LOBES) return 0;
  const angle = Math.PI * x;
  return (LOBES * Math.sin(angle) * Math.sin(angle / LOBES)) / angle ** 2;
}

function clamp(index: number, length: number): number {
  return index < 0 ? 0 : index >= length ? length - 1 : index;
}
