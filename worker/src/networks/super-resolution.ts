import { bytesAt, heap, kernels, reserve, withKernels } from '../rasters/kernels.js';
import { type Box, createRaster, type Raster } from '../rasters/raster.js';
import { resize } from '../rasters/resize.js';
import type { Session } from './sessions.js';
import { featherRamp, planTiles, reflect, runTiles, type Tile, type TileLimits, type TilePlan } from './tiling.js';

interface EnlargeOptions {
  limits: TileLimits;
  /** Part of the input that the network sees; the rest is interpolated. Absent: all. */
  part?: Box | undefined;
  signal?: AbortSignal | undefined;
  onTile?(done: number, total: number): void;
}

/**
 * For a picture of any size, in tiles that are mirrored at its edges and crossfaded. The result is `scale` times as
 * large.
 */
export async function enlarge(session: Session, input: Raster, options: EnlargeOptions): Promise<Raster> {
  const scale = session.entry.scale ?? 1;
  const size = { width: input.width * scale, height: input.height * scale };
  const output = options.part
    ? await resize(input, size.width, size.height, 'cubic')
    : createRaster(size.width, size.height);
  const { x: left, y: top, ...part } = options.part ?? { x: 0, y: 0, ...input };
  await runTiles({
    size: options.limits.size,
    plan: (longest) => planTiles(part.width, part.height, { ...options.limits, size: longest }),
    signal: options.signal,
    onTile: (done, total) => options.onTile?.(done, total),
    each: async (tile, plan) => {
      const place = { x: left + tile.x, y: top + tile.y };
      const seen = {
        x: place.x - plan.context,
        y: place.y - plan.context,
        width: tile.width + 2 * plan.context,
        height: tile.height + 2 * plan.context,
      };
      const [result] = await session.runOn(mirroredPart(input, seen));
      paintTile(output, result, { tile, place, plan, scale, range: session.entry.outputs[0]?.range ?? [0, 1] });
    },
  });
  return output;
}

/** A part of the picture, which is mirrored at its edges. */
function mirroredPart({ width, height, data }: Raster, at: Box): Raster {
  const part = createRaster(at.width, at.height);
  const [first, end] = [Math.max(0, at.x), Math.min(width, at.x + at.width)];
  const outside = Array.from({ length: at.width }, (_, x) => at.x + x).filter((x) => x < first || x >= end);
  for (let y = 0; y < at.height; y++) {
    const row = 3 * width * reflect(at.y + y, height);
    const to = 3 * (y * at.width - at.x);
    part.data.set(data.subarray(row + 3 * first, row + 3 * end), to + 3 * first);
    for (const x of outside) {
      const from = row + 3 * reflect(x, width);
      part.data.set(data.subarray(from, from + 3), to + 3 * x);
    }
  }
  return part;
}

interface TileOutput {
  readonly tile: Tile;
  /** In the input. */
  readonly place: Pick<Tile, 'x' | 'y'>;
  readonly plan: TilePlan;
  readonly scale: number;
  readonly range: readonly [number, number];
}

/** Crossfades with earlier tiles. What exceeds the picture is left out. */
function paintTile(output: Raster, planes: Float32Array, { tile, place, plan, scale, range }: TileOutput): void {
  const [low, high] = range;
  const gain = 255 / (high - low);
  const sourceWidth = (tile.width + 2 * plan.context) * scale;
  const plane = sourceWidth * (tile.height + 2 * plan.context) * scale;
  const margin = plan.context * scale;
  const across = featherRamp(plan, tile.x, tile.width, scale);
  const down = featherRamp(plan, tile.y, tile.height, scale);
  const rows = Math.min(down.length, output.height - place.y * scale);
  const columns = Math.min(across.length, output.width - place.x * scale);
  withKernels(() => {
    const stride = 4 * columns;
    const [lines, shares] = [reserve(3 * stride), reserve(stride)];
    const [own, painted] = [reserve(3 * columns), reserve(3 * columns)];
    heap.floats.set(across.subarray(0, columns), shares >> 2);
    for (let y = 0; y < rows; y++) {
      const source = (y + margin) * sourceWidth + margin;
      for (let channel = 0; channel < 3; channel++) {
        const start = source + channel * plane;
        heap.floats.set(planes.subarray(start, start + columns), (lines + channel * stride) >> 2);
      }
      const target = ((place.y * scale + y) * output.width + place.x * scale) * 3;
      heap.bytes.set(output.data.subarray(target, target + 3 * columns), own);
      kernels.joinColors(lines, stride, gain, -low * gain, shares, down[y] ?? 1, own, painted, columns);
      output.data.set(bytesAt(painted, 3 * columns), target);
    }
  });
}
