import type { Raster } from '../../rasters/raster.js';
import { Enlargement } from '../../rasters/resampling/upscale.js';
import { type BlockStatistics, type GainLimit, LimitedRows } from './gain-limiter.js';

/** A view of a region; all shares add up to 1. */
export interface Layer {
  /** Has the size of the target, or a smaller one if it is unlimited and enlarged later. */
  raster: Raster;
  share: number;
  /** Null: unlimited. */
  limit: (GainLimit & { reference: BlockStatistics }) | null;
}

/** Kept share of each pixel, 0..1, row by row. */
export interface KeepMask {
  /** Whether the row keeps any pixel; rows that keep none take less time. */
  keeps(y: number): boolean;
  row(y: number, line: Float64Array): void;
}

/**
 * target += part * (sum of the layers - target), in place. Row by row and rounded once: whole pictures of floats would
 * take longer in memory than in arithmetic.
 */
export function mixLayers(target: Raster, layers: readonly Layer[], part: number, kept: KeepMask | null = null): void {
  const { width, height } = target;
  const stride = width * 3;
  const sum = new Float64Array(stride);
  const parts = new Float64Array(width).fill(part);
  const data = new Uint8ClampedArray(target.data.buffer, target.data.byteOffset, target.data.length);
  const [only] = layers;
  const whole = layers.length === 1 && only && part === 1 && replaces(only, target) ? only.raster : null;
  const enlargement = whole && new Enlargement(whole, 3, width, height);
  const additions = whole ? [] : layers.map((layer) => additionOf(layer, target));
  for (let y = 0; y < height; y++) {
    if (enlargement) {
      const isKept = kept?.keeps(y) ?? false;
      enlargement.row(y, isKept ? sum : data.subarray(y * stride, (y + 1) * stride));
      if (!isKept) continue;
    } else {
      sum.fill(0);
      for (const add of additions) add(y, sum);
    }
    if (kept) {
      kept.row(y, parts);
      for (let x = 0; x < width; x++) parts[x] = part * (1 - (parts[x] as number));
    }
    for (let x = 0, from = 0, at = y * stride; x < width; x++, from += 3, at += 3) {
      const own = parts[x] as number;
      const red = data[at] as number;
      const green = data[at + 1] as number;
      const blue = data[at + 2] as number;
      data[at] = red + ((sum[from] as number) - red) * own;
      data[at + 1] = green + ((sum[from + 1] as number) - green) * own;
      data[at + 2] = blue + ((sum[from + 2] as number) - blue) * own;
    }
  }
}

/** Whether the layer is all of a result of another size. */
const replaces = ({ raster, share, limit }: Layer, { width, height }: Raster): boolean =>
  share === 1 && limit === null && (raster.width !== width || raster.height !== height);

type AddRow = (y: number, sum: Float64Array) => void;

function additionOf({ raster, share, limit }: Layer, { width, height }: Raster): AddRow {
  if (limit) {
    const limited = new LimitedRows(raster, limit.reference, limit);
    return (y, sum) => limited.addRow(y, share, sum);
  }
  const { data } = raster;
  const stride = width * 3;
  if (raster.width === width && raster.height === height) return (y, sum) => addRow(data, y * stride, share, sum);
  const enlargement = new Enlargement(raster, 3, width, height);
  const line = new Float64Array(stride);
  return (y, sum) => {
    enlargement.row(y, line);
    addRow(line, 0, share, sum);
  };
}

function addRow(data: Uint8Array | Float64Array, start: number, share: number, sum: Float64Array): void {
  for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + share * (data[start + at] as number);
}
