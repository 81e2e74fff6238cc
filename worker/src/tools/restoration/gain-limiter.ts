import { boxMean } from '../../rasters/filters.js';
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
  const limited = new LimitedRows(enhanced, measureContrast(reference, limit.radius), limit);
  const stride = enhanced.width * 3;
  const line = new Float64Array(stride);
  const data = new Uint8ClampedArray(enhanced.data.buffer, enhanced.data.byteOffset, enhanced.data.length);
  for (let y = 0; y < enhanced.height; y++) {
    limited.addRow(y, 1, line.fill(0));
    data.set(line, y * stride);
  }
}

/** Rows as left by {@link limitGain}. */
export class LimitedRows {
  readonly #raster: Raster;
  readonly #columns: number;
  readonly #rows: number;
  /** Per block: gain, and RGB means before and after. */
  readonly #planes: readonly Float32Array[];
  /** For one row of pixels. */
  readonly #lines: Lines;

  /** `reference`: measured with the radius of `limit` on a picture of the same size. */
  constructor(raster: Raster, reference: BlockStatistics, limit: GainLimit) {
    this.#raster = raster;
    this.#columns = Math.ceil(raster.width / BLOCK);
    this.#rows = Math.ceil(raster.height / BLOCK);
    const own = measureContrast(raster, limit.radius);
    const gain = own.luma.map((_, block) => {
      return Math.min(
        1,
        (limit.maxGain * deviation(reference, block) + limit.allowance) / (deviation(own, block) + 1e-3),
      );
    });
    this.#planes = [gain, ...reference.means, ...own.means];
    const line = () => new Float64Array(this.#columns + 1);
    this.#lines = [line(), line(), line(), line(), line(), line(), line()];
  }

  /** line += share * (reference mean + gain * (pixel - own mean)), interpolated between blocks. */
  addRow(y: number, share: number, line: Float64Array): void {
    const { width, data } = this.#raster;
    this.#interpolate(y);
    const [gains, redBefore, greenBefore, blueBefore, redAfter, greenAfter, blueAfter] = this.#lines;
    let at = y * width * 3;
    let to = 0;
    // Covers the centre of one block to the next one's. The first is left of the picture, the last ends at its edge.
    for (let block = -1, x = 0; x < width; block++) {
      const left = Math.max(0, block);
      const end = Math.min(width, (block + 1) * BLOCK + CENTER);
      const own = gains[left] as number;
      const ownRedBefore = redBefore[left] as number;
      const ownGreenBefore = greenBefore[left] as number;
      const ownBlueBefore = blueBefore[left] as number;
      const ownRedAfter = redAfter[left] as number;
      const ownGreenAfter = greenAfter[left] as number;
      const ownBlueAfter = blueAfter[left] as number;
      const toGain = (gains[left + 1] as number) - own;
      const toRedBefore = (redBefore[left + 1] as number) - ownRedBefore;
      const toGreenBefore = (greenBefore[left + 1] as number) - ownGreenBefore;
      const toBlueBefore = (blueBefore[left + 1] as number) - ownBlueBefore;
      const toRedAfter = (redAfter[left + 1] as number) - ownRedAfter;
      const toGreenAfter = (greenAfter[left + 1] as number) - ownGreenAfter;
      const toBlueAfter = (blueAfter[left + 1] as number) - ownBlueAfter;
      for (; x < end; x++, at += 3, to += 3) {
        const part = block < 0 ? 0 : (x - CENTER) / BLOCK - block;
        const gain = own + toGain * part;
        const redAt = ownRedAfter + toRedAfter * part;
        const greenAt = ownGreenAfter + toGreenAfter * part;
        const blueAt = ownBlueAfter + toBlueAfter * part;
        const red = ownRedBefore + toRedBefore * part + ((data[at] as number) - redAt) * gain;
        const green = ownGreenBefore + toGreenBefore * part + ((data[at + 1] as number) - greenAt) * gain;
        const blue = ownBlueBefore + toBlueBefore * part + ((data[at + 2] as number) - blueAt) * gain;
        line[to] = (line[to] as number) + share * red;
        line[to + 1] = (line[to + 1] as number) + share * green;
        line[to + 2] = (line[to + 2] as number) + share * blue;
      }
    }
  }

  #interpolate(y: number): void {
    const columns = this.#columns;
    const position = Math.max(0, Math.min(this.#rows - 1, (y - CENTER) / BLOCK));
    const top = Math.floor(position) * columns;
    const bottom = Math.min(this.#rows - 1, Math.floor(position) + 1) * columns;
    const share = position - Math.floor(position);
    for (const [index, plane] of this.#planes.entries()) {
      const line = this.#lines[index] as Float64Array;
      for (let column = 0; column < columns; column++) {
        const upper = plane[top + column] as number;
        line[column] = upper + ((plane[bottom + column] as number) - upper) * share;
      }
      // An extra column for the interpolation of the last pixels.
      line[columns] = line[columns - 1] as number;
    }
  }
}

type Lines = readonly [
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
];

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
  const size = columns * rows;
  const sums = Array.from({ length: 5 }, () => new Float32Array(size));
  const [red, green, blue, luma, squares] = sums as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor(y / BLOCK) * columns;
    const blockHeight = Math.min(BLOCK, height - Math.floor(y / BLOCK) * BLOCK);
    for (let column = 0; column < columns; column++) {
      const blockWidth = Math.min(BLOCK, width - column * BLOCK);
      let r = 0;
      let g = 0;
      let b = 0;
      let square = 0;
      for (let end = at + blockWidth * 3; at < end; at += 3) {
        const pixelRed = data[at] as number;
        const pixelGreen = data[at + 1] as number;
        const pixelBlue = data[at + 2] as number;
        const brightness = 0.299 * pixelRed + 0.587 * pixelGreen + 0.114 * pixelBlue;
        r += pixelRed;
        g += pixelGreen;
        b += pixelBlue;
        square += brightness * brightness;
      }
      const share = 1 / (blockWidth * blockHeight);
      const block = row + column;
      red[block] = (red[block] ?? 0) + r * share;
      green[block] = (green[block] ?? 0) + g * share;
      blue[block] = (blue[block] ?? 0) + b * share;
      luma[block] = (luma[block] ?? 0) + (0.299 * r + 0.587 * g + 0.114 * b) * share;
      squares[block] = (squares[block] ?? 0) + square * share;
    }
  }
  const smooth = (plane: Float32Array) => boxMean(plane, columns, rows, radius);
  return {
    means: [smooth(red), smooth(green), smooth(blue)],
    luma: smooth(luma),
    lumaSquares: smooth(squares),
  };
}
