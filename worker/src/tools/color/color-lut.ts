import type { Samples } from '../../image/picture/picture.js';
import type { Rgb } from './color-lab.js';

/** Points per axis. With 33 the greatest error is below half a level. */
const POINTS = 33;

/** Sampled on a grid, red slowest: `size ** 3` RGB triples, 0..1. */
export interface ColorTable {
  size: number;
  values: Float32Array;
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
  const values = new Float32Array(size ** 3 * 3);
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

/** By point: 1 for the corners of cells that contain a color of the pictures. */
function pointsAround(pictures: readonly Samples[], size: number): Uint8Array {
  const [stepRed, stepGreen] = [size * size, size];
  const cells = new Uint8Array(size ** 3);
  for (const samples of pictures) {
    const { cell } = positionsOf(samples, size);
    for (let at = 0; at < samples.length; at += 3) {
      const red = cell[samples[at] as number] as number;
      const green = cell[samples[at + 1] as number] as number;
      cells[red * stepRed + green * stepGreen + (cell[samples[at + 2] as number] as number)] = 1;
    }
  }
  const corners = [0, stepRed, stepGreen, stepRed + stepGreen].flatMap((offset) => [offset, offset + 1]);
  const points = new Uint8Array(cells.length);
  for (let cell = cells.indexOf(1); cell >= 0; cell = cells.indexOf(1, cell + 1)) {
    for (const offset of corners) points[cell + offset] = 1;
  }
  return points;
}

/** By code: the cell that contains it, and the place inside, 0..1. */
function positionsOf(samples: Samples, size: number): { cell: Uint8Array; inside: Float64Array } {
  const codes = samples instanceof Uint16Array ? 0x10000 : 0x100;
  const last = size - 1;
  const scale = last / (codes - 1);
  const cell = new Uint8Array(codes);
  const inside = new Float64Array(codes);
  for (let code = 0; code < codes; code++) {
    const position = code * scale;
    const whole = Math.min(last - 1, Math.floor(position));
    cell[code] = whole;
    inside[code] = position - whole;
  }
  return { cell, inside };
}

/**
 * Transforms the pixels from `start` to `end` in place by tetrahedral interpolation: six tetrahedra share each cell's
 * gray diagonal, so that grays come from grays only.
 */
export function applyColors(samples: Samples, { size, values }: ColorTable, start: number, end: number): void {
  const top = samples instanceof Uint16Array ? 0xffff : 0xff;
  const { cell, inside } = positionsOf(samples, size);
  const [stepRed, stepGreen, stepBlue] = [size * size * 3, size * 3, 3];
  const all = stepRed + stepGreen + stepBlue;
  for (let at = start * 3; at < end * 3; at += 3) {
    const red = samples[at] as number;
    const green = samples[at + 1] as number;
    const blue = samples[at + 2] as number;
    const r = inside[red] as number;
    const g = inside[green] as number;
    const b = inside[blue] as number;
    const base =
      (cell[red] as number) * stepRed + (cell[green] as number) * stepGreen + (cell[blue] as number) * stepBlue;
    // Walks from the black corner to the white one, the longest axis first.
    let first = stepRed;
    let second = stepGreen;
    let long = r;
    let middle = g;
    let short = b;
    if (g > r) {
      first = stepGreen;
      second = stepRed;
      long = g;
      middle = r;
    }
    if (b > long) {
      second = first;
      first = stepBlue;
      short = middle;
      middle = long;
      long = b;
    } else if (b > middle) {
      second = stepBlue;
      short = middle;
      middle = b;
    }
    const near = base + first;
    const far = near + second;
    const own = 1 - long;
    const next = long - middle;
    const after = middle - short;
    const white = base + all;
    for (let channel = 0; channel < 3; channel++) {
      const value =
        (values[base + channel] as number) * own +
        (values[near + channel] as number) * next +
        (values[far + channel] as number) * after +
        (values[white + channel] as number) * short;
      samples[at + channel] = value * top + 0.5;
    }
  }
}
