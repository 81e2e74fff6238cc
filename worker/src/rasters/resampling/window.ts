import { createRaster, type Raster } from '../raster.js';
import { setCubicWeights } from './cubic.js';

/** An upright part of a picture: `size` pixels of it per pixel of the result, from the point `x`, `y` on. */
export interface Window {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

interface Taps {
  /** Indices of the four source pixels, repeated at the edges. */
  readonly indices: Int32Array;
  readonly weights: Float64Array;
}

const TAPS = 4;

/** Cubic (Catmull-Rom), first down, then across. Does not average: reduce the source first. */
export function sampleWindow(source: Raster, { x, y, size }: Window, width: number, height: number): Raster {
  const across = tapsOf(x, size, width, source.width);
  const down = tapsOf(y, size, height, source.height);
  const target = createRaster(width, height);
  const data = new Uint8ClampedArray(target.data.buffer);
  const line = new Float64Array(source.width * 3);
  const from = 3 * (across.indices[0] ?? 0);
  const end = 3 * ((across.indices.at(-1) ?? 0) + 1);
  for (let row = 0; row < height; row++) {
    mixRows(source, down, row, line, from, end);
    mixColumns(line, across, data.subarray(row * width * 3, (row + 1) * width * 3));
  }
  return target;
}

function mixRows(
  { width, data }: Raster,
  down: Taps,
  row: number,
  line: Float64Array,
  from: number,
  end: number,
): void {
  const [a, b, c, d] = tapsAt(down.indices, row).map((index) => index * width * 3) as Four;
  const [ka, kb, kc, kd] = tapsAt(down.weights, row);
  for (let at = from; at < end; at++) {
    line[at] =
      ka * (data[a + at] as number) +
      kb * (data[b + at] as number) +
      kc * (data[c + at] as number) +
      kd * (data[d + at] as number);
  }
}

function mixColumns(line: Float64Array, { indices, weights }: Taps, target: Uint8ClampedArray): void {
  for (let to = 0, tap = 0; to < target.length; tap += TAPS) {
    const ka = weights[tap] as number;
    const kb = weights[tap + 1] as number;
    const kc = weights[tap + 2] as number;
    const kd = weights[tap + 3] as number;
    const a = 3 * (indices[tap] as number);
    const b = 3 * (indices[tap + 1] as number);
    const c = 3 * (indices[tap + 2] as number);
    const d = 3 * (indices[tap + 3] as number);
    for (let channel = 0; channel < 3; channel++, to++) {
      target[to] =
        ka * (line[a + channel] as number) +
        kb * (line[b + channel] as number) +
        kc * (line[c + channel] as number) +
        kd * (line[d + channel] as number);
    }
  }
}

type Four = [number, number, number, number];

const tapsAt = (values: Int32Array | Float64Array, index: number): Four =>
  Array.from(values.subarray(index * TAPS, (index + 1) * TAPS)) as Four;

function tapsOf(start: number, size: number, count: number, length: number): Taps {
  const indices = new Int32Array(count * TAPS);
  const weights = new Float64Array(count * TAPS);
  for (let index = 0; index < count; index++) {
    const place = start + (index + 0.5) * size - 0.5;
    const before = Math.floor(place);
    setCubicWeights(weights, index * TAPS, place - before);
    for (let tap = 0; tap < TAPS; tap++) {
      indices[index * TAPS + tap] = Math.max(0, Math.min(length - 1, before - 1 + tap));
    }
  }
  return { indices, weights };
}
