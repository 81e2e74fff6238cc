import { constants } from 'node:zlib';
import { type PixelLayout, rowBytesOf } from './pixel-file.js';

/** Bytes of rows that are filtered and compressed at a time. */
const STRIP_BYTES = 1 << 21;
const STRIPS_AT_ONCE = 2;

/**
 * What a filter leaves of a photograph hardly repeats: looking for runs only takes half the time of libpng at level 2 with a filter
 * for each row, and gives smaller files.
 */
export const COMPRESSION = { level: 1, memLevel: 9, strategy: constants.Z_RLE } as const;
/** Share of its strip for which a compressed one has room: those of photographs take a fifth to a third. */
const ROOM = 0.5;
const MIN_ROOM_BYTES = 1 << 16;

export const roomFor = (bytes: number): number => Math.max(MIN_ROOM_BYTES, Math.ceil(ROOM * bytes));

export interface Strip {
  readonly index: number;
  /** Its rows: the first, and the one after the last. */
  readonly first: number;
  readonly end: number;
  readonly isLast: boolean;
  /** For its bytes, each filter's byte of a row included. Reused: memory that JavaScript allocates counts towards the next garbage collection. */
  readonly space: Buffer;
}

export const rowsPerStripOf = (layout: PixelLayout): number =>
  Math.min(layout.height, Math.max(1, Math.floor(STRIP_BYTES / (rowBytesOf(layout) + 1))));

/**
 * Filters strips one after another, and compresses some at once, each on a thread.
 * @returns the compressed strips in order
 */
export async function* compressStrips(
  layout: PixelLayout,
  filter: (strip: Strip) => Promise<Buffer>,
  compress: (bytes: Buffer, isLast: boolean) => Promise<Buffer>,
): AsyncGenerator<Buffer> {
  const rows = rowsPerStripOf(layout);
  const spaces = Array.from({ length: STRIPS_AT_ONCE }, () => Buffer.allocUnsafe((rowBytesOf(layout) + 1) * rows));
  const running: Promise<Buffer>[] = [];
  for (let first = 0, index = 0; first < layout.height; first += rows, index++) {
    const end = Math.min(layout.height, first + rows);
    const isLast = end === layout.height;
    const space = spaces[index % STRIPS_AT_ONCE] as Buffer;
    running.push(compress(await filter({ index, first, end, isLast, space }), isLast));
    if (running.length === STRIPS_AT_ONCE) yield (await running.shift()) as Buffer;
  }
  for (const strip of running) yield await strip;
}
