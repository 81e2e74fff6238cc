import { boxMean } from '../../rasters/filters.js';
import { floatsAt, heap, kernels, reserve, withKernels } from '../../rasters/kernels.js';
import { ramp } from '../../rasters/ramp.js';
import type { Raster } from '../../rasters/raster.js';
import { Enlargement } from '../../rasters/resize.js';
import { type Assessment, softFraction } from '../restoration/denoise.js';
import type { KeepMask } from '../restoration/layers.js';

/** Side in pixels, also in the kernel. */
const SQUARE = 8;
/** Detail finer than the real resolution, in levels, from which a square is kept partly and fully. */
const SHARP_LEVELS = { from: 3.5, to: 7 } as const;
/** Pixels from which every second row shows enough. */
const LARGE_PIXELS = 4_000_000;
/** The calmest tenth shows the noise; slightly more may be noise too. */
const CALM_SHARE = 0.1;
const NOISE_MARGIN = 2;

/**
 * Sharp parts of a soft picture, such as a face before a blurred background, to be kept. Null if there are none, or if
 * full resolution loses nothing.
 */
export function findSharpParts(original: Raster, { planes, defects }: Assessment): KeepMask | null {
  if (softFraction(defects.softness) === 0 || planes.width === original.width) return null;
  const columns = Math.ceil(original.width / SQUARE);
  const energy = boxMean(lostEnergy(original, planes), columns, Math.ceil(original.height / SQUARE), 2);
  const floor = NOISE_MARGIN * (energy.toSorted()[Math.floor(energy.length * CALM_SHARE)] ?? 0);
  const sharp = energy.map((value) => ramp(Math.sqrt(Math.max(0, value - floor)), SHARP_LEVELS.from, SHARP_LEVELS.to));
  if (!sharp.some((value) => value > 0)) return null;
  return new SquareMap(boxMean(sharp, columns, sharp.length / columns, 1), columns);
}

/** Mean square of luma lost by the reduction, per square. */
function lostEnergy(original: Raster, planes: Assessment['planes']): Float32Array {
  return withKernels(() => sumLostEnergy(original, planes));
}

function sumLostEnergy({ width, height, data }: Raster, planes: Assessment['planes']): Float32Array {
  const columns = Math.ceil(width / SQUARE);
  const sums = new Float32Array(columns * Math.ceil(height / SQUARE));
  const counts = new Float32Array(sums.length);
  const without = new Enlargement({ ...planes, data: planes.luma }, 1, width, height);
  const step = width * height < LARGE_PIXELS ? 1 : 2;
  const [pixels, found] = [reserve(3 * width), reserve(4 * columns)];
  for (let y = 0; y < height; y += step) {
    const row = Math.floor(y / SQUARE) * columns;
    heap.bytes.set(data.subarray(y * width * 3, (y + 1) * width * 3), pixels);
    kernels.sumLost(pixels, without.mix(y), found, width);
    for (const [column, sum] of floatsAt(found, columns).entries()) {
      sums[row + column] = (sums[row + column] as number) + sum;
      counts[row + column] = (counts[row + column] as number) + Math.min(SQUARE, width - column * SQUARE);
    }
  }
  return sums.map((sum, square) => sum / (counts[square] ?? 1));
}

/** Interpolates linearly between the centers of squares. */
class SquareMap implements KeepMask {
  readonly #values: Float32Array;
  readonly #columns: number;
  readonly #rows: number;
  /** Per row of squares: whether any is kept. */
  readonly #keeping: readonly boolean[];

  constructor(values: Float32Array, columns: number) {
    this.#values = values;
    this.#columns = columns;
    this.#rows = values.length / columns;
    this.#keeping = Array.from({ length: this.#rows }, (_, row) =>
      values.subarray(row * columns, (row + 1) * columns).some((value) => value > 0),
    );
  }

  keeps(y: number): boolean {
    const down = position(y, this.#rows);
    return [Math.floor(down), Math.ceil(down)].some((row) => this.#keeping[row]);
  }

  row(y: number, line: Float32Array): void {
    const columns = this.#columns;
    const values = this.#values;
    const down = position(y, this.#rows);
    const top = Math.floor(down) * columns;
    const bottom = Math.min(this.#rows - 1, Math.floor(down) + 1) * columns;
    const below = down - Math.floor(down);
    for (let x = 0; x < line.length; x++) {
      const across = position(x, columns);
      const left = Math.floor(across);
      const right = Math.min(columns - 1, left + 1);
      const beside = across - left;
      const upper = (values[top + left] as number) * (1 - beside) + (values[top + right] as number) * beside;
      const lower = (values[bottom + left] as number) * (1 - beside) + (values[bottom + right] as number) * beside;
      line[x] = upper * (1 - below) + lower * below;
    }
  }
}

function position(pixel: number, squares: number): number {
  return Math.max(0, Math.min(squares - 1, (pixel + 0.5) / SQUARE - 0.5));
}
