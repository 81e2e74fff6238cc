import sharp from 'sharp';
import { bytesAt, floatsAt, heap, kernels, reserve, withKernels } from './kernels.js';
import { type Box, crop, type Raster } from './raster.js';

type ResizeKernel = 'cubic' | 'lanczos3' | 'linear';

/** The kernel applies to reductions, which average over all source pixels. */
export async function resize(raster: Raster, width: number, height: number, kernel: ResizeKernel): Promise<Raster> {
  if (raster.width === width && raster.height === height) return raster;
  if (width >= raster.width && height >= raster.height) return { width, height, data: upscale(raster, width, height) };
  return reduce(raster, width, height, kernel);
}

/** The same for a part of a picture, without a copy of it where it is reduced. */
export function resizePart(
  raster: Raster,
  at: Box,
  width: number,
  height: number,
  kernel: ResizeKernel,
): Promise<Raster> {
  if (at.width <= width || at.height <= height) return resize(crop(raster, at), width, height, kernel);
  return reduce(raster, width, height, kernel, at);
}

async function reduce(
  raster: Raster,
  width: number,
  height: number,
  kernel: ResizeKernel,
  at: Box = { x: 0, y: 0, width: raster.width, height: raster.height },
): Promise<Raster> {
  const { data } = await sharp(raster.data, { raw: { width: raster.width, height: raster.height, channels: 3 } })
    .extract({ left: at.x, top: at.y, width: at.width, height: at.height })
    .resize(width, height, { fit: 'fill', kernel })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width, height, data };
}

/** Half the kernel's width in source pixels. */
const LOBES = 3;
const TAPS = 2 * LOBES;

export interface Samples {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Float32Array;
  /** Row with which the data begin, where they are a part of the picture; default: the first. */
  readonly first?: number;
}

interface Taps {
  /** Unclamped first source index of each target. */
  starts: Int32Array;
  weights: Float32Array;
}

/**
 * Lanczos enlargement about pixel centers, row by row to save memory. libvips shifts by half a pixel, and mixed
 * pictures must be aligned. Within {@link withKernels}.
 */
export class Enlargement {
  readonly #source: Samples;
  readonly #channels: 1 | 3;
  readonly #length: number;
  readonly #down: Taps;
  readonly #starts: number;
  readonly #weights: number;
  /** Horizontally enlarged rows of the window; row n at n modulo their number. */
  readonly #rows: readonly number[];
  readonly #kept: Int32Array;
  /** A row of the source, with {@link LOBES} repeated pixels at each end, so that no index is clamped. */
  readonly #line: number;
  /** The window's rows in order, and their weights. */
  readonly #window: number;
  /** The enlarged row, in floats and in bytes. */
  readonly #mixed: number;
  readonly #rounded: number;

  constructor(source: Samples, channels: 1 | 3, width: number, height: number) {
    const length = width * channels;
    const across = taps(source.width, width);
    this.#source = source;
    this.#channels = channels;
    this.#length = length;
    this.#down = taps(source.height, height);
    this.#starts = reserve(4 * width);
    this.#weights = reserve(4 * TAPS * width);
    this.#rows = Array.from({ length: TAPS }, () => reserve(4 * length));
    this.#kept = new Int32Array(TAPS).fill(-1);
    this.#line = reserve(4 * (source.width + 2 * LOBES) * channels);
    this.#window = reserve(4 * 2 * TAPS);
    this.#mixed = reserve(4 * length);
    this.#rounded = reserve(Math.max(length, source.width * channels));
    heap.integers.set(
      across.starts.map((start) => start + LOBES),
      this.#starts >> 2,
    );
    heap.floats.set(across.weights, this.#weights >> 2);
  }

  /** Unrounded, or rounded to bytes. Fastest for ascending rows. */
  row(y: number, target: Float32Array | Uint8Array): void {
    const mixed = this.mix(y);
    if (target instanceof Float32Array) {
      target.set(floatsAt(mixed, this.#length));
      return;
    }
    kernels.round(mixed, this.#rounded, this.#length);
    target.set(bytesAt(this.#rounded, this.#length));
  }

  /** Address of the unrounded row, valid until the next one. */
  mix(y: number): number {
    const first = this.#down.starts[y] as number;
    for (let tap = 0; tap < TAPS; tap++) heap.integers[(this.#window >> 2) + tap] = this.#stretched(first + tap);
    const weights = this.#window + 4 * TAPS;
    heap.floats.set(this.#down.weights.subarray(y * TAPS, (y + 1) * TAPS), weights >> 2);
    kernels.mixSix(this.#window, weights, this.#mixed, this.#length);
    return this.#mixed;
  }

  #stretched(index: number): number {
    const y = clamp(index, this.#source.height);
    const slot = y % TAPS;
    const row = this.#rows[slot] as number;
    if (this.#kept[slot] !== y) {
      this.#kept[slot] = y;
      this.#readLine(y);
      const stretch = this.#channels === 3 ? kernels.stretchColors : kernels.stretchGrays;
      stretch(this.#line, this.#starts, this.#weights, row, this.#length / this.#channels);
    }
    return row;
  }

  #readLine(y: number): void {
    const { data, first = 0 } = this.#source;
    const channels = this.#channels;
    const length = this.#source.width * channels;
    const margin = LOBES * channels;
    const source = data.subarray((y - first) * length, (y + 1 - first) * length);
    const middle = this.#line + 4 * margin;
    if (source instanceof Float32Array) heap.floats.set(source, middle >> 2);
    else {
      heap.bytes.set(source, this.#rounded);
      kernels.widen(this.#rounded, middle, length);
    }
    const line = floatsAt(this.#line, length + 2 * margin);
    for (let at = 0; at < margin; at++) {
      line[at] = line[margin + (at % channels)] as number;
      line[margin + length + at] = line[margin + length - channels + (at % channels)] as number;
    }
  }
}

/** Rows of the source, from the first to before the end, that an {@link Enlargement} needs for rows of the result. */
export function sourceRowsOf(
  from: number,
  to: number,
  [first, end]: readonly [number, number],
): readonly [number, number] {
  const startOf = (y: number) => Math.floor(((y + 0.5) * from) / to - 0.5) - LOBES + 1;
  return [clamp(startOf(first), from), clamp(startOf(end - 1) + TAPS - 1, from) + 1];
}

export function upscale(source: Samples, width: number, height: number): Uint8Array {
  return withKernels(() => {
    const enlargement = new Enlargement(source, 3, width, height);
    const stride = width * 3;
    const target = new Uint8Array(stride * height);
    for (let y = 0; y < height; y++) enlargement.row(y, target.subarray(y * stride, (y + 1) * stride));
    return target;
  });
}

/** Of the last enlargements: one in strips takes the same for each. */
const knownTaps = new Map<string, Taps>();
const MOST_KNOWN = 4;

function taps(from: number, to: number): Taps {
  const key = `${from} ${to}`;
  const found = knownTaps.get(key) ?? computeTaps(from, to);
  knownTaps.delete(key);
  knownTaps.set(key, found);
  for (const oldest of knownTaps.keys()) if (knownTaps.size > MOST_KNOWN) knownTaps.delete(oldest);
  return found;
}

function computeTaps(from: number, to: number): Taps {
  const starts = new Int32Array(to);
  const weights = new Float32Array(to * TAPS);
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
