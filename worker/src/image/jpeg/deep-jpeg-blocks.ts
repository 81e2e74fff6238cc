import type { Huffman } from './segments.js';

export interface Component {
  readonly id: number;
  readonly across: number;
  readonly down: number;
  readonly quantization: number;
  readonly width: number;
  readonly height: number;
  /** Blocks of a row, which end with those of the last unit. */
  readonly stride: number;
  readonly coefficients: Int16Array;
}
export interface Part {
  readonly component: Component;
  readonly dc: Huffman | undefined;
  readonly ac: Huffman | undefined;
}
/** Coefficients `from` to `to`, to the bit `low`; after the first scan of them `high` is the bit before. */
export interface Scan {
  readonly parts: readonly Part[];
  readonly from: number;
  readonly to: number;
  readonly high: number;
  readonly low: number;
}

/** Bits of a sample. */
export const PRECISION = 12;

/** Place in a block, row by row, of each coefficient as stored. */
export const ZIGZAG = new Uint8Array(64);
for (let diagonal = 0, index = 0; diagonal < 15; diagonal++) {
  for (let step = 0; step <= diagonal; step++) {
    const [row, column] = diagonal % 2 === 0 ? [diagonal - step, step] : [step, diagonal - step];
    if (row < 8 && column < 8) ZIGZAG[index++] = row * 8 + column;
  }
}

/** Reads the blocks of a restart interval. */
export class Interval {
  #at = 0;
  #bits = 0;
  #count = 0;
  /** Blocks that have no further coefficients in this scan. */
  #emptyBlocks = 0;
  readonly #previous = new Map<Component, number>();
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  #peek(length: number): number {
    for (; this.#count <= 16; this.#count += 8) this.#bits = (this.#bits << 8) | (this.#bytes[this.#at++] ?? 0);
    return (this.#bits >>> (this.#count - length)) & ((1 << length) - 1);
  }

  #skip(length: number): void {
    this.#count -= length;
    if (this.#at - (this.#count >> 3) <= this.#bytes.length) return;
    throw new RangeError('the picture ends too early or is damaged');
  }

  #take(length: number): number {
    const value = this.#peek(length);
    this.#skip(length);
    return value;
  }

  #symbol(table: Huffman | undefined): number {
    const entry = table?.[this.#peek(16)] ?? 0;
    if (entry === 0) throw new RangeError('a code is unknown');
    this.#skip(entry >> 8);
    return entry & 0xff;
  }

  /** T.81, F.2.2.1. */
  #signed(category: number): number {
    if (category > 15) throw new RangeError('a value is too large');
    const value = this.#take(category);
    return category > 0 && value < 1 << (category - 1) ? value - (1 << category) + 1 : value;
  }

  block({ component, dc, ac }: Part, at: number, { from, to, high, low }: Scan): void {
    const { coefficients } = component;
    if (from === 0 && high === 0) {
      const value = (this.#previous.get(component) ?? 0) + this.#signed(this.#symbol(dc));
      this.#previous.set(component, value);
      coefficients[at] = value << low;
    } else if (from === 0 && this.#take(1) === 1) coefficients[at] = (coefficients[at] ?? 0) | (1 << low);
    if (to === 0) return;
    if (high === 0) this.#coefficients(coefficients, at, ac, Math.max(1, from), to, low);
    else this.#refinement(coefficients, at, ac, from, to, low);
  }

  /** T.81, G.1.2.2; a sequential scan has runs of one block. */
  #coefficients(into: Int16Array, at: number, ac: Part['ac'], from: number, to: number, low: number): void {
    if (this.#emptyBlocks > 0) {
      this.#emptyBlocks--;
      return;
    }
    for (let index = from; index <= to; index++) {
      const symbol = this.#symbol(ac);
      const [zeros, category] = [symbol >> 4, symbol & 15];
      if (category === 0 && zeros < 15) {
        this.#emptyBlocks = (1 << zeros) + this.#take(zeros) - 1;
        return;
      }
      index += zeros;
      if (category === 0) continue;
      if (index > to) throw new RangeError('a block has too many coefficients');
      into[at + (ZIGZAG[index] ?? 0)] = this.#signed(category) << low;
    }
  }

  /** T.81, G.1.2.3. */
  #refinement(into: Int16Array, at: number, ac: Part['ac'], from: number, to: number, low: number): void {
    const bit = 1 << low;
    let index = from;
    const refine = (place: number, value: number): void => {
      if (this.#take(1) === 1 && (value & bit) === 0) into[place] = value + (value > 0 ? bit : -bit);
    };
    for (; this.#emptyBlocks === 0 && index <= to; index++) {
      const symbol = this.#symbol(ac);
      let zeros = symbol >> 4;
      if ((symbol & 15) === 0 && zeros < 15) {
        this.#emptyBlocks = (1 << zeros) + this.#take(zeros);
        break;
      }
      const added = (symbol & 15) === 0 ? 0 : this.#take(1) === 1 ? bit : -bit;
      for (; index <= to; index++) {
        const place = at + (ZIGZAG[index] ?? 0);
        const value = into[place] ?? 0;
        if (value !== 0) refine(place, value);
        else if (zeros-- === 0) {
          into[place] = added;
          break;
        }
      }
    }
    if (this.#emptyBlocks === 0) return;
    this.#emptyBlocks--;
    for (; index <= to; index++) {
      const place = at + (ZIGZAG[index] ?? 0);
      const value = into[place] ?? 0;
      if (value !== 0) refine(place, value);
    }
  }
}

const COSINES = Float32Array.from({ length: 64 }, (_, index) => {
  const [sample, frequency] = [index >> 3, index & 7];
  return (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * sample + 1) * frequency * Math.PI) / 16);
});

/** The first half of T.81, A.3.3. @returns how many rows are not empty */
function transformRows(block: Int16Array, quantization: Float32Array, into: Float32Array): number {
  let last = 63;
  while (last > 0 && block[last] === 0) last--;
  const end = (last | 7) + 1;
  for (let index = 0; index < end; index++) {
    const [row, x] = [index & ~7, index & 7];
    let sum = 0;
    for (let u = 0; u < 8; u++) {
      sum += (block[row + u] ?? 0) * (quantization[row + u] ?? 0) * (COSINES[x * 8 + u] ?? 0);
    }
    into[index] = sum;
  }
  return end / 8;
}

/** T.81, A.3.3; rows of `stride` blocks. */
export function samplesOf({ coefficients, stride }: Component, quantization: Float32Array): Uint8ClampedArray {
  const samples = new Uint8ClampedArray(coefficients.length);
  const half = new Float32Array(64);
  // Codes of 12 bits as parts of 255.
  const scale = 255 / (2 ** PRECISION - 1);
  const middle = 2 ** (PRECISION - 1);
  for (let at = 0, block = 0; at < coefficients.length; at += 64, block++) {
    const rows = transformRows(coefficients.subarray(at, at + 64), quantization, half);
    const corner = Math.floor(block / stride) * stride * 64 + (block % stride) * 8;
    for (let index = 0; index < 64; index++) {
      const [y, x] = [index >> 3, index & 7];
      let sum = 0;
      for (let v = 0; v < rows; v++) sum += (half[v * 8 + x] ?? 0) * (COSINES[y * 8 + v] ?? 0);
      samples[corner + y * stride * 8 + x] = (sum + middle) * scale;
    }
  }
  return samples;
}
