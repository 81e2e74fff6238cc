import { bytesAt, floatsAt, heap, kernels, reserve, withKernels } from '../../rasters/kernels.js';
import type { Raster } from '../../rasters/raster.js';
import { Enlargement } from '../../rasters/resize.js';
import { type Plane, RowSampler } from '../../rasters/row-sampler.js';
import { type BlockStatistics, type GainLimit, LimitedRows } from './gain-limiter.js';

/** A view of a region; all shares add up to 1. */
export interface Layer {
  /** Has the size of the target, or a smaller one if it is unlimited and enlarged later. */
  raster: Raster;
  share: number;
  /** Null: unlimited. */
  limit: (GainLimit & { reference: BlockStatistics }) | null;
}

/** Kept share, 0..1, of squares of pixels; interpolated between their centers. */
export interface KeepMask extends Plane {
  readonly side: number;
}

/**
 * target += part * (sum of the layers - target), in place. Row by row: whole pictures of floats would take longer in
 * memory than in arithmetic.
 */
export function mixLayers(target: Raster, layers: readonly Layer[], part: number, kept: KeepMask | null = null): void {
  withKernels(() => mixRows(target, layers, part, kept));
}

function mixRows({ width, height, data }: Raster, layers: readonly Layer[], part: number, kept: KeepMask | null): void {
  const stride = width * 3;
  const [only] = layers;
  const whole = layers.length === 1 && only && part === 1 && replaces(only, { width, height }) ? only.raster : null;
  const enlargement = whole && new Enlargement(whole, 3, width, height);
  const additions = whole ? [] : layers.map((layer) => additionOf(layer, { width, height }));
  const sum = reserve(4 * stride);
  const shares = reserve(4 * width);
  const own = reserve(stride);
  const mixed = reserve(stride);
  const keeping = kept && new RowSampler(kept, 1, kept.width * kept.side, kept.height * kept.side, width);
  const parts = floatsAt(shares, width);
  for (let y = 0; y < height; y++) {
    const row = data.subarray(y * stride, (y + 1) * stride);
    if (keeping) kernels.sampleGrays(keeping.line(y), keeping.columns, shares, width);
    if (enlargement && !(keeping && parts.some((share) => share > 0))) {
      enlargement.row(y, row);
      continue;
    }
    floatsAt(sum, stride).fill(0);
    if (enlargement) kernels.addScaled(enlargement.mix(y), 1, sum, stride);
    for (const add of additions) add(y, sum);
    if (keeping) for (let x = 0; x < width; x++) parts[x] = part * (1 - (parts[x] as number));
    else parts.fill(part);
    heap.bytes.set(row, own);
    kernels.blendFloats(own, sum, shares, mixed, width);
    row.set(bytesAt(mixed, stride));
  }
}

type Size = Pick<Raster, 'width' | 'height'>;

/** Whether the layer is all of a result of another size. */
const replaces = ({ raster, share, limit }: Layer, { width, height }: Size): boolean =>
  share === 1 && limit === null && (raster.width !== width || raster.height !== height);

type AddRow = (y: number, sum: number) => void;

function additionOf({ raster, share, limit }: Layer, { width, height }: Size): AddRow {
  if (limit) {
    const limited = new LimitedRows(raster, limit.reference, limit);
    return (y, sum) => limited.addRow(y, share, sum);
  }
  const stride = width * 3;
  if (raster.width === width && raster.height === height) {
    const bytes = reserve(stride);
    const line = reserve(4 * stride);
    return (y, sum) => {
      heap.bytes.set(raster.data.subarray(y * stride, (y + 1) * stride), bytes);
      kernels.widen(bytes, line, stride);
      kernels.addScaled(line, share, sum, stride);
    };
  }
  const enlargement = new Enlargement(raster, 3, width, height);
  return (y, sum) => kernels.addScaled(enlargement.mix(y), share, sum, stride);
}
