/** The smallest tile does not fit into memory either. */
export class OutOfMemoryError extends Error {
  override readonly name = 'OutOfMemoryError';
  readonly retryable = true;
}

/** Output of one run. Neighbors overlap by the plan's feather. */
export interface Tile {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** In pixels of the network's input. Tiles have the same size, so that the runtime reuses buffers. */
export interface TilePlan {
  width: number;
  height: number;
  tiles: Tile[];
  /** Width of the crossfade between neighbors. */
  feather: number;
  /** Input around each tile whose output is discarded. */
  context: number;
}

export interface TileLimits {
  /** Maximum, without context. */
  size: number;
  feather: number;
  context: number;
  /** Divisor of a tile's sides and of the context. Tiles may exceed the picture to fit it. */
  multiple?: number;
}

/** Smaller tiles are mostly context. */
const MIN_TILE = 32;

export function planTiles(width: number, height: number, limits: TileLimits): TilePlan {
  const columns = spans(width, limits);
  const rows = spans(height, limits);
  const tiles = rows.flatMap((row) =>
    columns.map((column) => ({ x: column.start, y: row.start, width: column.length, height: row.length })),
  );
  return { width, height, tiles, feather: limits.feather, context: limits.context };
}

function spans(total: number, { size, feather, multiple = 1 }: TileLimits): { start: number; length: number }[] {
  const fitting = (length: number) => Math.ceil(length / multiple) * multiple;
  if (total <= size) return [{ start: 0, length: fitting(total) }];
  const count = Math.ceil((total - feather) / (size - feather));
  const length = fitting((total + (count - 1) * feather) / count);
  const lastStart = total - length;
  return Array.from({ length: count }, (_, index) => ({
    start: Math.round((lastStart * index) / (count - 1)),
    length,
  }));
}

/** Weights of a tile's rows or columns: rising over the overlap with the previous neighbor, then 1. */
export function featherRamp(plan: TilePlan, start: number, length: number, scale: number): Float32Array {
  const ramp = new Float32Array(length * scale).fill(1);
  if (start === 0) return ramp;
  const band = Math.min(ramp.length, plan.feather * scale);
  for (let index = 0; index < band; index++) ramp[index] = (index + 0.5) / band;
  return ramp;
}

export function reflect(index: number, length: number): number {
  if (length === 1) return 0;
  const period = 2 * (length - 1);
  const folded = ((index % period) + period) % period;
  return folded < length ? folded : period - folded;
}

interface TileRun {
  plan(size: number): TilePlan;
  size: number;
  each(tile: Tile, plan: TilePlan): Promise<void>;
  onTile?(done: number, total: number): void;
  signal?: AbortSignal | undefined;
}

/** In sequence. Out of memory restarts with half the tile side, down to a minimum. */
export async function runTiles(run: TileRun): Promise<void> {
  let { size } = run;
  for (;;) {
    const plan = run.plan(size);
    try {
      for (const [index, tile] of plan.tiles.entries()) {
        run.signal?.throwIfAborted();
        await run.each(tile, plan);
        run.onTile?.(index + 1, plan.tiles.length);
      }
      return;
    } catch (error) {
      const largest = Math.max(...plan.tiles.map((tile) => Math.max(tile.width, tile.height)));
      const half = Math.floor(Math.min(size, largest) / 2);
      if (!isOutOfMemory(error)) throw error;
      if (half < MIN_TILE) throw new OutOfMemoryError(`No memory for a tile of ${largest} pixels`);
      size = half;
    }
  }
}

/** The runtime reports failed allocations as plain errors. */
function isOutOfMemory(error: unknown): boolean {
  if (error instanceof OutOfMemoryError) return true;
  return error instanceof Error && /bad_alloc|bad allocation|failed to allocate|out of memory/i.test(error.message);
}
