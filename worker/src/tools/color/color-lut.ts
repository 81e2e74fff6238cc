import type { Samples } from '../../image/picture/picture.js';
import type { Rgb } from './color-lab.js';

/** Points per axis. With 33 the greatest error is below half a level. */
const POINTS = 33;

/** Sampled on a grid, red slowest: `size ** 3` RGB triples, 0..1. */
export interface ColorTable {
  size: number;
  values: Float32Array;
}

/** `transform` maps codes 0..1. */
export function tabulateColors(transform: (codes: Rgb) => Rgb, size: number = POINTS): ColorTable {
  const values = new Float32Array(size ** 3 * 3);
  const last = size - 1;
  let at = 0;
  for (let red = 0; red < size; red++) {
    for (let green = 0; green < size; green++) {
      for (let blue = 0; blue < size; blue++, at += 3)
        values.set(transform([red / last, green / last, blue / last]), at);
    }
  }
  return { size, values };
}

/**
 * Transforms the pixels from `start` to `end` in place by tetrahedral interpolation: six tetrahedra share each cell's
 * grey diagonal, so that greys come from greys only.
 */
export function applyColors(samples: Samples, { size, values }: ColorTable, start: number, end: number): void {
  const top = samples instanceof Uint16Array ? 0xffff : 0xff;
  const last = size - 1;
  const scale = last / top;
  const [stepRed, stepGreen, stepBlue] = [size * size * 3, size * 3, 3];
  const all = stepRed + stepGreen + stepBlue;
  for (let at = start * 3; at < end * 3; at += 3) {
    const red = (samples[at] ?? 0) * scale;
    const green = (samples[at + 1] ?? 0) * scale;
    const blue = (samples[at + 2] ?? 0) * scale;
    const cellRed = red < last ? red | 0 : last - 1;
    const cellGreen = green < last ? green | 0 : last - 1;
    const cellBlue = blue < last ? blue | 0 : last - 1;
    const r = red - cellRed;
    const g = green - cellGreen;
    const b = blue - cellBlue;
    const base = cellRed * stepRed + cellGreen * stepGreen + cellBlue * stepBlue;
    // Walks from the black corner to the white one, the longest axis first.
    let first = stepRed;
    let second = stepGreen;
    let long = r;
    let middle = g;
    let short = b;
    if (r >= g) {
      if (g < b) {
        if (r >= b) [second, middle, short] = [stepBlue, b, g];
        else [first, second, long, middle, short] = [stepBlue, stepRed, b, r, g];
      }
    } else if (b > g) [first, second, long, middle, short] = [stepBlue, stepGreen, b, g, r];
    else if (b > r) [first, second, long, middle, short] = [stepGreen, stepBlue, g, b, r];
    else [first, second, long, middle, short] = [stepGreen, stepRed, g, r, b];
    const near = base + first;
    const far = near + second;
    for (let channel = 0; channel < 3; channel++) {
      const value =
        (values[base + channel] ?? 0) * (1 - long) +
        (values[near + channel] ?? 0) * (long - middle) +
        (values[far + channel] ?? 0) * (middle - short) +
        (values[base + all + channel] ?? 0) * short;
      samples[at + channel] = value * top + 0.5;
    }
  }
}
