import type { Samples } from '../../image/picture.js';
import { bytesAt, heap, kernels, reserve, withKernels } from '../../rasters/kernels.js';
import type { Rgb } from './color-lab.js';

/** Points per axis. With 33 the greatest error is below half a level. */
const POINTS = 33;

/** Sampled on a grid, red slowest: `size ** 3` RGB triples, 0..1. */
export interface ColorTable {
  size: number;
  values: Float64Array;
}

/**
 * `transform` maps codes 0..1.
 * @param pictures whose colors are transformed: a photograph needs a small part of the table, which takes most of the
 * time of a look. Absent: the whole table.
 */
export function tabulateColors(
  transform: (codes: Rgb) => Rgb,
  size: number = POINTS,
  pictures?: readonly Samples[],
): ColorTable {
  const values = new Float64Array(size ** 3 * 3);
  const needed = pictures && pointsAround(pictures, size);
  const last = size - 1;
  let at = 0;
  for (let red = 0; red < size; red++) {
    for (let green = 0; green < size; green++) {
      for (let blue = 0; blue < size; blue++, at += 3) {
        if (!needed || needed[at / 3]) values.set(transform([red / last, green / last, blue / last]), at);
      }
    }
  }
  return { size, values };
}

/** Codes changed by a share of the difference of others, 0..1. */
export const mixed = (own: Rgb, wanted: Rgb, share: number): Rgb => [
  own[0] + (wanted[0] - own[0]) * share,
  own[1] + (wanted[1] - own[1]) * share,
  own[2] + (wanted[2] - own[2]) * share,
];

export function mixedTable({ size, values }: ColorTable, share: number): ColorTable {
  const last = size - 1;
  const steps = Float64Array.from({ length: size }, (_, step) => step / last);
  const result = new Float64Array(values.length);
  for (let red = 0, at = 0; red < size; red++) {
    for (let green = 0; green < size; green++) {
      for (let blue = 0; blue < size; blue++, at += 3) {
        const own: Rgb = [steps[red] as number, steps[green] as number, steps[blue] as number];
        const wanted: Rgb = [values[at] as number, values[at + 1] as number, values[at + 2] as number];
        result.set(mixed(own, wanted, share), at);
      }
    }
  }
  return { size, values: result };
}

/** 1 for the corners of cells that contain a color of the pictures, else 0. */
function pointsAround(pictures: readonly Samples[], size: number): Uint8Array {
  const [stepRed, stepGreen] = [size * size, size];
  const cells = withKernels(() => {
    const marks = reserve(size ** 3);
    bytesAt(marks, size ** 3).fill(0);
    for (const samples of pictures) {
      const { isDeep, positions, space } = reserveFor(samples, size);
      const mark = isDeep ? kernels.markDeepCells : kernels.markCells;
      eachPiece(samples, 0, samples.length / 3, (bytes, pixels) => {
        heap.bytes.set(bytes, space);
        mark(space, positions, size, marks, pixels);
      });
    }
    return bytesAt(marks, size ** 3).slice();
  });
  const corners = [0, stepRed, stepGreen, stepRed + stepGreen].flatMap((offset) => [offset, offset + 1]);
  const points = new Uint8Array(cells.length);
  for (let cell = cells.indexOf(1); cell >= 0; cell = cells.indexOf(1, cell + 1)) {
    for (const offset of corners) points[cell + offset] = 1;
  }
  return points;
}

/** Pixels in the kernels' memory at a time. */
const PIECE = 1 << 13;

/** Addresses of the positions of codes in a table, and of space for a piece of the samples. */
function reserveFor(samples: Samples, size: number): { isDeep: boolean; positions: number; space: number } {
  const isDeep = samples instanceof Uint16Array;
  const codes = isDeep ? 0x10000 : 0x100;
  const positions = reserve(8 * codes);
  const last = size - 1;
  const scale = last / (codes - 1);
  for (let code = 0, at = positions >> 2; code < codes; code++, at += 2) {
    const position = code * scale;
    const whole = Math.min(last - 1, Math.floor(position));
    heap.integers[at] = whole;
    heap.floats[at + 1] = position - whole;
  }
  return { isDeep, positions, space: reserve(3 * PIECE * samples.BYTES_PER_ELEMENT) };
}

/** Calls with the bytes of the pixels from `start` to `end`, and how many pixels they are. */
function eachPiece(
  samples: Samples,
  start: number,
  end: number,
  work: (bytes: Uint8Array, pixels: number) => void,
): void {
  const { buffer, byteOffset, BYTES_PER_ELEMENT } = samples;
  for (let from = start; from < end; from += PIECE) {
    const pixels = Math.min(PIECE, end - from);
    work(new Uint8Array(buffer, byteOffset + 3 * from * BYTES_PER_ELEMENT, 3 * pixels * BYTES_PER_ELEMENT), pixels);
  }
}

/** Transforms the pixels from `start` to `end` in place by tetrahedral interpolation. */
export function applyColors(samples: Samples, { size, values }: ColorTable, start: number, end: number): void {
  withKernels(() => {
    const { isDeep, positions, space } = reserveFor(samples, size);
    const table = reserve(4 * values.length);
    heap.floats.set(values, table >> 2);
    const apply = isDeep ? kernels.applyDeepTable : kernels.applyTable;
    eachPiece(samples, start, end, (bytes, pixels) => {
      heap.bytes.set(bytes, space);
      apply(space, positions, table, size, pixels);
      bytes.set(bytesAt(space, bytes.length));
    });
  });
}

/** Fritsch and Carlson, Monotone Piecewise Cubic Interpolation, 1980. Constant outside the points. */
export function monotoneCurve(points: readonly (readonly [x: number, y: number])[]): (x: number) => number {
  const last = points.length - 1;
  const x = (index: number) => points[index]?.[0] ?? 0;
  const y = (index: number) => points[index]?.[1] ?? 0;
  const slopes = Array.from({ length: last }, (_, at) => (y(at + 1) - y(at)) / (x(at + 1) - x(at)));
  const tangents = points.map((_, at) => {
    const before = slopes[at - 1];
    const after = slopes[at];
    if (before === undefined || after === undefined) return before ?? after ?? 0;
    // The harmonic mean stays within the limits of both neighbors.
    return before * after <= 0 ? 0 : (2 * before * after) / (before + after);
  });
  return (value) => {
    if (value <= x(0)) return y(0);
    if (value >= x(last)) return y(last);
    let at = 0;
    while (at < last - 1 && value >= x(at + 1)) at++;
    const width = x(at + 1) - x(at);
    const t = (value - x(at)) / width;
    const left = (1 + 2 * t) * (1 - t) ** 2 * y(at) + t * (1 - t) ** 2 * width * (tangents[at] ?? 0);
    return left + t * t * (3 - 2 * t) * y(at + 1) + t * t * (t - 1) * width * (tangents[at + 1] ?? 0);
  };
}
