import { bytesAt, floatsAt, heap, kernels, reserve, withKernels } from '../rasters/kernels.js';
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
      const width = tile.width + 2 * plan.context;
      const height = tile.height + 2 * plan.context;
      const place = { x: left + tile.x, y: top + tile.y };
      const planes = tileToPlanes(input, { ...tile, ...place }, plan.context, session.entry.input.range ?? [0, 1]);
      const [result] = await session.run(planes, [1, 3, height, width]);
      if (!result) throw new Error(`${session.entry.id} returned no output`);
      paintTile(output, result, { tile, place, plan, scale, range: session.entry.outputs[0]?.range ?? [0, 1] });
    },
  });
  return output;
}

/** A tile with its context as NCHW planes in the network's range. */
function tileToPlanes(input: Raster, tile: Tile, context: number, range: readonly [number, number]): Float32Array {
  const width = tile.width + 2 * context;
  const height = tile.height + 2 * context;
  const plane = width * height;
  const planes = new Float32Array(3 * plane);
  const [low, high] = range;
  const gain = (high - low) / 255;
  const { data } = input;
  const left = tile.x - context;
  // Columns of the picture in the tile, before and after which it is mirrored.
  const inside = { first: Math.max(0, -left), end: Math.min(width, input.width - left) };
  const mirrored = Array.from({ length: width }, (_, x) => x).filter((x) => x < inside.first || x >= inside.end);
  withKernels(() => {
    const pixels = reserve(3 * width);
    const stride = 4 * width;
    const rows = reserve(3 * stride);
    for (let y = 0; y < height; y++) {
      const row = 3 * input.width * reflect(tile.y - context + y, input.height);
      const start = row + 3 * (left + inside.first);
      const length = 3 * (inside.end - inside.first);
      if (length > 0) heap.bytes.set(data.subarray(start, start + length), pixels + 3 * inside.first);
      for (const x of mirrored) {
        const from = row + 3 * reflect(left + x, input.width);
        heap.bytes.set(data.subarray(from, from + 3), pixels + 3 * x);
      }
      kernels.splitColors(pixels, gain, low, rows, stride, width);
      for (let channel = 0; channel < 3; channel++) {
        planes.set(floatsAt(rows + channel * stride, width), channel * plane + y * width);
      }
    }
  });
  return planes;
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
