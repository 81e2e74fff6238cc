import type { Raster } from '../ai/raster.js';
import { boxMean } from './filters.js';

export interface GainLimit {
  /** Largest local contrast of the result as a multiple of the reference's. */
  maxGain: number;
  /** Radius in pixels of the window in which mean and contrast are taken. */
  radius: number;
  /** Contrast, in levels, that is always allowed: keeps flat areas from being frozen by rounding. */
  allowance: number;
}

/** Side in pixels of the squares in which contrast is measured; windows are made of whole squares. */
const BLOCK = 4;

/**
 * Bounds what a network did to a picture, in place: the local mean becomes the reference's again, and local
 * contrast may exceed the reference's only so far. Without it fine fences and foliage come out as noise.
 * Both pictures have the same size.
 */
export function limitGain(enhanced: Raster, reference: Raster, limit: GainLimit): void {
  const { width, height } = enhanced;
  const columns = Math.ceil(width / BLOCK);
  const rows = Math.ceil(height / BLOCK);
  const radius = Math.max(1, Math.round(limit.radius / BLOCK - 0.5));
  const after = measureBlocks(enhanced, columns, rows, radius);
  const before = measureBlocks(reference, columns, rows, radius);
  const gain = new Float32Array(columns * rows);
  for (let block = 0; block < gain.length; block++) {
    const had = deviation(before, block);
    const has = deviation(after, block);
    gain[block] = Math.min(1, (limit.maxGain * had + limit.allowance) / (has + 1e-3));
  }
  applyGain(enhanced, before.means, after.means, gain, columns, rows);
}

interface BlockStatistics {
  /** Local means of red, green and blue. */
  means: readonly [Float32Array, Float32Array, Float32Array];
  luma: Float32Array;
  lumaSquares: Float32Array;
}

function deviation(statistics: BlockStatistics, block: number): number {
  const mean = statistics.luma[block] ?? 0;
  return Math.sqrt(Math.max(0, (statistics.lumaSquares[block] ?? 0) - mean * mean));
}

function measureBlocks(raster: Raster, columns: number, rows: number, radius: number): BlockStatistics {
  const { width, height, data } = raster;
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
        const pixelRed = data[at] ?? 0;
        const pixelGreen = data[at + 1] ?? 0;
        const pixelBlue = data[at + 2] ?? 0;
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

/** result = reference mean + gain * (pixel - own mean), with means and gain interpolated between blocks. */
function applyGain(
  enhanced: Raster,
  before: BlockStatistics['means'],
  after: BlockStatistics['means'],
  gain: Float32Array,
  columns: number,
  rows: number,
): void {
  const { width, height, data } = enhanced;
  const planes = [gain, ...before, ...after];
  const lines = planes.map(() => new Float32Array(columns + 1));
  const [gainLine, redBefore, greenBefore, blueBefore, redAfter, greenAfter, blueAfter] = lines as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const offset = (BLOCK - 1) / 2;
  for (let y = 0, at = 0; y < height; y++) {
    const position = Math.max(0, Math.min(rows - 1, (y - offset) / BLOCK));
    const top = Math.floor(position);
    const bottom = Math.min(rows - 1, top + 1);
    const share = position - top;
    for (const [index, plane] of planes.entries()) {
      const line = lines[index];
      if (!line) continue;
      for (let column = 0; column < columns; column++) {
        const upper = plane[top * columns + column] ?? 0;
        line[column] = upper + ((plane[bottom * columns + column] ?? 0) - upper) * share;
      }
      // One more column, so that the last pixels can interpolate to the right.
      line[columns] = line[columns - 1] ?? 0;
    }
    for (let x = 0; x < width; x++, at += 3) {
      const across = Math.max(0, (x - offset) / BLOCK);
      const left = Math.min(columns - 1, Math.floor(across));
      const part = Math.min(1, across - left);
      const factor = mix(gainLine, left, part);
      data[at] = toByte(mix(redBefore, left, part) + ((data[at] ?? 0) - mix(redAfter, left, part)) * factor);
      data[at + 1] = toByte(
        mix(greenBefore, left, part) + ((data[at + 1] ?? 0) - mix(greenAfter, left, part)) * factor,
      );
      data[at + 2] = toByte(mix(blueBefore, left, part) + ((data[at + 2] ?? 0) - mix(blueAfter, left, part)) * factor);
    }
  }
}

function mix(line: Float32Array, left: number, part: number): number {
  const value = line[left] ?? 0;
  return value + ((line[left + 1] ?? 0) - value) * part;
}

function toByte(value: number): number {
  return value <= 0 ? 0 : value >= 255 ? 255 : (value + 0.5) | 0;
}
