import { boxMean } from '../../rasters/filters.js';
import { bytesAt, floatsAt, heap, kernels, reserve, withKernels } from '../../rasters/kernels/kernels.js';
import type { Raster } from '../../rasters/raster.js';

export interface GainLimit {
  /** Maximum local contrast, relative to the reference. */
  maxGain: number;
  /** Pixels; for mean and contrast. */
  radius: number;
  /** Always allowed contrast in levels: rounding would freeze flat areas. */
  allowance: number;
}

/** Side in pixels; windows consist of whole blocks. */
const BLOCK = 4;

/**
 * Limits a network's changes in place: the local mean becomes the reference's, and local contrast exceeds the
 * reference's at most by a factor. Otherwise fine fences and foliage turn to noise. Both pictures have the same size.
 */
export function limitGain(enhanced: Raster, reference: Raster, limit: GainLimit): void {
  withKernels(() => {
    const limited = new LimitedRows(enhanced, measureContrast(reference, limit.radius), limit);
    const stride = enhanced.width * 3;
    const line = reserve(4 * stride);
    const rounded = reserve(stride);
    for (let y = 0; y < enhanced.height; y++) {
      floatsAt(line, stride).fill(0);
      limited.addRow(y, 1, line);
      kernels.round(line, rounded, stride);
      enhanced.data.set(bytesAt(rounded, stride), y * stride);
    }
  });
}

/** Floats of a block, as the kernel reads them. */
const BLOCK_FLOATS = 8;
const OWN_MEAN = 4;
const GAIN = 7;

/** Rows as left by {@link limitGain}. Within {@link withKernels}. */
export class LimitedRows {
  readonly #raster: Raster;
  readonly #rows: number;
  /** Per block: RGB means before and after, and gain. The last block of a row stands twice, for the last pixels. */
  readonly #planes: Float32Array;
  readonly #stride: number;
  /** Addresses: blocks above and below a row of pixels, between them, and the row. */
  readonly #above: number;
  readonly #below: number;
  readonly #blocks: number;
  readonly #pixels: number;

  /** `reference`: measured with the radius of `limit` on a picture of the same size. */
  constructor(raster: Raster, reference: BlockStatistics, limit: GainLimit) {
    const columns = Math.ceil(raster.width / BLOCK);
    this.#raster = raster;
    this.#rows = Math.ceil(raster.height / BLOCK);
    this.#stride = (columns + 1) * BLOCK_FLOATS;
    const own = measureContrast(raster, limit.radius);
    this.#planes = new Float32Array(this.#rows * this.#stride);
    for (let row = 0, to = 0; row < this.#rows; row++) {
      for (let column = 0; column <= columns; column++, to += BLOCK_FLOATS) {
        const block = row * columns + Math.min(columns - 1, column);
        const allowed = limit.maxGain * deviation(reference, block) + limit.allowance;
        for (const channel of [0, 1, 2] as const) {
          this.#planes[to + channel] = reference.means[channel][block] as number;
          this.#planes[to + OWN_MEAN + channel] = own.means[channel][block] as number;
        }
        this.#planes[to + GAIN] = Math.min(1, allowed / (deviation(own, block) + 1e-3));
      }
    }
    this.#above = reserve(4 * this.#stride);
    this.#below = reserve(4 * this.#stride);
    this.#blocks = reserve(4 * this.#stride);
    this.#pixels = reserve(3 * raster.width);
  }

  /** Adds share * (reference mean + gain * (pixel - own mean)), interpolated between blocks, to the row at an address. */
  addRow(y: number, share: number, line: number): void {
    const { width, data } = this.#raster;
    const position = Math.max(0, Math.min(this.#rows - 1, (y - CENTER) / BLOCK));
    const top = Math.floor(position);
    const rowOf = (index: number) => this.#planes.subarray(index * this.#stride, (index + 1) * this.#stride);
    heap.floats.set(rowOf(top), this.#above >> 2);
    heap.floats.set(rowOf(Math.min(this.#rows - 1, top + 1)), this.#below >> 2);
    kernels.interpolate(this.#above, this.#below, position - top, this.#blocks, this.#stride);
    heap.bytes.set(data.subarray(y * width * 3, (y + 1) * width * 3), this.#pixels);
    kernels.addLimited(this.#pixels, this.#blocks, share, line, width);
  }
}

/** In pixels. */
const CENTER = (BLOCK - 1) / 2;

/** Statistics around each block. */
export interface BlockStatistics {
  /** Local means of red, green and blue. */
  means: readonly [Float32Array, Float32Array, Float32Array];
  luma: Float32Array;
  lumaSquares: Float32Array;
}

function deviation(statistics: BlockStatistics, block: number): number {
  const mean = statistics.luma[block] ?? 0;
  return Math.sqrt(Math.max(0, (statistics.lumaSquares[block] ?? 0) - mean * mean));
}

export function measureContrast(raster: Raster, pixelRadius: number): BlockStatistics {
  const { width, height, data } = raster;
  const columns = Math.ceil(width / BLOCK);
  const rows = Math.ceil(height / BLOCK);
  const radius = Math.max(1, Math.round(pixelRadius / BLOCK - 0.5));
  const [red, green, blue, luma, squares] = Array.from({ length: 5 }, () => new Float32Array(columns * rows)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  withKernels(() => {
    // Rows of whole blocks: pixels missing in the last block add nothing.
    const stride = columns * BLOCK * 3;
    const pixels = reserve(BLOCK * stride);
    const sums = reserve(SUM_BYTES * columns);
    bytesAt(pixels, BLOCK * stride).fill(0);
    for (let row = 0; row < rows; row++) {
      const blockHeight = Math.min(BLOCK, height - row * BLOCK);
      for (let line = 0, from = row * BLOCK * width * 3; line < blockHeight; line++, from += width * 3) {
        heap.bytes.set(data.subarray(from, from + width * 3), pixels + line * stride);
      }
      kernels.sumBlocks(pixels, stride, blockHeight, sums, columns);
      const found = floatsAt(sums, (SUM_BYTES / 4) * columns);
      for (let column = 0, at = 0, block = row * columns; column < columns; column++, at += 4, block++) {
        const share = 1 / (blockHeight * Math.min(BLOCK, width - column * BLOCK));
        const [r, g, b] = [found[at] as number, found[at + 1] as number, found[at + 2] as number];
        red[block] = r * share;
        green[block] = g * share;
        blue[block] = b * share;
        luma[block] = (0.299 * r + 0.587 * g + 0.114 * b) * share;
        squares[block] = (found[at + 3] as number) * share;
      }
    }
  });
  const smooth = (plane: Float32Array) => boxMean(plane, columns, rows, radius);
  return {
    means: [smooth(red), smooth(green), smooth(blue)],
    luma: smooth(luma),
    lumaSquares: smooth(squares),
  };
}

/** Bytes of a block's sums: three channels and squared luma. */
const SUM_BYTES = 16;
