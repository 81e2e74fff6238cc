import { BoxSpace } from '../../rasters/filters.js';
import { bytesAt, floatsAt, heap, kernels, reserve, withKernels } from '../../rasters/kernels.js';
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

/** Floats of a block, as the kernel reads them. */
const BLOCK_FLOATS = 8;
const OWN_MEAN = 4;
const GAIN = 7;

/**
 * Rows of a network's output with limited changes: the local mean becomes the reference's, and local contrast exceeds it
 * at most by a factor; otherwise fine fences and foliage turn to noise. Within {@link withKernels}.
 */
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

export interface BlockStatistics {
  means: readonly [Float32Array, Float32Array, Float32Array];
  luma: Float32Array;
  lumaSquares: Float32Array;
}

function deviation(statistics: BlockStatistics, block: number): number {
  const mean = statistics.luma[block] ?? 0;
  return Math.sqrt(Math.max(0, (statistics.lumaSquares[block] ?? 0) - mean * mean));
}

export function measureContrast({ width, height, data }: Raster, pixelRadius: number): BlockStatistics {
  const columns = Math.ceil(width / BLOCK);
  const rows = Math.ceil(height / BLOCK);
  const radius = Math.max(1, Math.round(pixelRadius / BLOCK - 0.5));
  return withKernels(() => {
    // Kernels may write beyond the end of a plane.
    const stride = 4 * columns * rows + 16;
    const planes = reserve(STATISTICS * stride);
    // Rows of whole blocks: what is missing in the last one adds nothing.
    const line = columns * BLOCK * 3;
    const pixels = reserve(BLOCK * line);
    const sums = reserve(SUM_BYTES * columns);
    const inLast = width - (columns - 1) * BLOCK;
    bytesAt(pixels, BLOCK * line).fill(0);
    for (let row = 0; row < rows; row++) {
      const blockHeight = Math.min(BLOCK, height - row * BLOCK);
      for (let y = 0, from = row * BLOCK * width * 3; y < blockHeight; y++, from += width * 3) {
        heap.bytes.set(data.subarray(from, from + width * 3), pixels + y * line);
      }
      kernels.sumBlocks(pixels, line, blockHeight, sums, columns);
      const last = floatsAt(sums + SUM_BYTES * (columns - 1), SUM_BYTES / 4);
      for (const [at, sum] of last.entries()) last[at] = (sum * BLOCK) / inLast;
      kernels.averageBlocks(sums, 1 / (blockHeight * BLOCK), planes + 4 * row * columns, stride, columns);
    }
    const space = new BoxSpace(columns, rows);
    const [red, green, blue, brightness, lumaSquares] = Array.from({ length: STATISTICS }, (_, index) => {
      space.mean(planes + index * stride, radius);
      return floatsAt(planes + index * stride, columns * rows).slice();
    }) as [Float32Array, Float32Array, Float32Array, Float32Array, Float32Array];
    return { means: [red, green, blue], luma: brightness, lumaSquares };
  });
}

/** Planes of a picture's statistics: three channels, luma and its square. */
const STATISTICS = 5;
/** Bytes of a block's sums: three channels and squared luma. */
const SUM_BYTES = 16;
