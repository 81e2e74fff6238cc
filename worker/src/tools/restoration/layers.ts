import type { Raster } from '../../rasters/raster.js';
import { type BlockStatistics, type GainLimit, LimitedRows } from './gain-limiter.js';

/** A view of a region; all shares add up to 1. */
export interface Layer {
  raster: Raster;
  share: number;
  /** Null: unlimited. */
  limit: (GainLimit & { reference: BlockStatistics }) | null;
}

/** Kept share of each pixel, 0..1, row by row. */
export interface KeepMask {
  row(y: number, line: Float32Array): void;
}

/**
 * target += part * (sum of the layers - target), in place. Row by row and rounded once: whole pictures of floats would
 * take longer in memory than in arithmetic.
 */
export function mixLayers(target: Raster, layers: readonly Layer[], part: number, kept: KeepMask | null = null): void {
  const { width, height } = target;
  const stride = width * 3;
  const sum = new Float32Array(stride);
  const parts = new Float32Array(width).fill(part);
  // A clamped array rounds and clamps on assignment.
  const data = new Uint8ClampedArray(target.data.buffer, target.data.byteOffset, target.data.length);
  const rows = layers.map(({ raster, share, limit }) =>
    limit ? { share, limited: new LimitedRows(raster, limit.reference, limit) } : { share, raster },
  );
  for (let y = 0; y < height; y++) {
    sum.fill(0);
    for (const { share, limited, raster } of rows) {
      if (limited) limited.addRow(y, share, sum);
      else addRow(raster, y, share, sum);
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

function addRow({ width, data }: Raster, y: number, share: number, line: Float32Array): void {
  const start = y * line.length;
  for (let at = 0; at < width * 3; at++) line[at] = (line[at] as number) + share * (data[start + at] as number);
}
