import { createRaster, type Raster } from '../rasters/raster.js';
import type { Session } from './sessions.js';
import { featherRamp, planTiles, reflect, runTiles, type Tile, type TileLimits, type TilePlan } from './tiling.js';

export interface EnlargeOptions {
  limits: TileLimits;
  signal?: AbortSignal | undefined;
  onTile?(done: number, total: number): void;
}

/**
 * For a picture of any size, in tiles that are mirrored at its edges and crossfaded. The result is `scale` times as
 * large.
 */
export async function enlarge(session: Session, input: Raster, options: EnlargeOptions): Promise<Raster> {
  const scale = session.entry.scale ?? 1;
  const output = createRaster(input.width * scale, input.height * scale);
  await runTiles({
    size: options.limits.size,
    plan: (size) => planTiles(input.width, input.height, { ...options.limits, size }),
    signal: options.signal,
    onTile: (done, total) => options.onTile?.(done, total),
    each: async (tile, plan) => {
      const width = tile.width + 2 * plan.context;
      const height = tile.height + 2 * plan.context;
      const planes = tileToPlanes(input, tile, plan.context, session.entry.input.range ?? [0, 1]);
      const [result] = await session.run(planes, [1, 3, height, width]);
      if (!result) throw new Error(`${session.entry.id} returned no output`);
      paintTile(output, result, tile, plan, scale, session.entry.outputs[0]?.range ?? [0, 1]);
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
  const columns = Int32Array.from({ length: width }, (_, x) => 3 * reflect(tile.x - context + x, input.width));
  const { data } = input;
  for (let y = 0, target = 0; y < height; y++) {
    const row = 3 * input.width * reflect(tile.y - context + y, input.height);
    for (let x = 0; x < width; x++, target++) {
      const source = row + (columns[x] as number);
      planes[target] = (data[source] as number) * gain + low;
      planes[target + plane] = (data[source + 1] as number) * gain + low;
      planes[target + 2 * plane] = (data[source + 2] as number) * gain + low;
    }
  }
  return planes;
}

/** Crossfades with earlier tiles. What exceeds the picture is left out. */
function paintTile(
  output: Raster,
  planes: Float32Array,
  tile: Tile,
  plan: TilePlan,
  scale: number,
  range: readonly [number, number],
): void {
  const [low, high] = range;
  const gain = 255 / (high - low);
  const offset = -low * gain + 0.5;
  const sourceWidth = (tile.width + 2 * plan.context) * scale;
  const plane = sourceWidth * (tile.height + 2 * plan.context) * scale;
  const margin = plan.context * scale;
  const across = featherRamp(plan, tile.x, tile.width, scale);
  const down = featherRamp(plan, tile.y, tile.height, scale);
  const { data } = output;
  const rows = Math.min(down.length, output.height - tile.y * scale);
  const columns = Math.min(across.length, output.width - tile.x * scale);
  for (let y = 0; y < rows; y++) {
    const rowOpacity = down[y] ?? 1;
    let source = (y + margin) * sourceWidth + margin;
    let target = ((tile.y * scale + y) * output.width + tile.x * scale) * 3;
    for (let x = 0; x < columns; x++, source++, target += 3) {
      const opacity = rowOpacity * (across[x] as number);
      // Clamped first: an overshoot would shift the crossfade.
      let red = clampLevel((planes[source] as number) * gain + offset);
      let green = clampLevel((planes[source + plane] as number) * gain + offset);
      let blue = clampLevel((planes[source + 2 * plane] as number) * gain + offset);
      if (opacity < 1) {
        red = (red - 0.5) * opacity + (data[target] as number) * (1 - opacity) + 0.5;
        green = (green - 0.5) * opacity + (data[target + 1] as number) * (1 - opacity) + 0.5;
        blue = (blue - 0.5) * opacity + (data[target + 2] as number) * (1 - opacity) + 0.5;
      }
      data[target] = red;
      data[target + 1] = green;
      data[target + 2] = blue;
    }
  }
}

/** Clamps a level to which 0.5 was added; truncating it then rounds it to 0..255. */
const clampLevel = (value: number): number => Math.min(255.5, Math.max(0.5, value));
